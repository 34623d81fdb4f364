//! Failures that are not the checkpoint's: what they are, and what to do.

/// A failure that no edit of a checkpoint cures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Elsewhere {
    /// A short name.
    pub name: &'static str,
    /// What it is.
    pub what: &'static str,
    /// What to do.
    pub advice: &'static str,
    needles: &'static [&'static str],
}

const ALL: &[Elsewhere] = &[
    Elsewhere {
        name: "gpu-memory",
        what: "the GPU's memory is too small for weights, cache or one step",
        advice: "lower --gpu-memory-utilization or --max-model-len, use more GPUs, or end what else runs on it",
        needles: &[
            "CUDA out of memory",
            "OutOfMemoryError",
            "No available memory for the cache blocks",
            "larger than the available KV cache memory",
            "Not enough memory",
            "cudaMalloc failed: out of memory",
            "Free memory on device",
        ],
    },
    Elsewhere {
        name: "port-in-use",
        what: "another process listens on the port",
        advice: "end it, or choose another --port",
        needles: &[
            "Address already in use",
            "address already in use",
            "EADDRINUSE",
        ],
    },
    Elsewhere {
        name: "gated-repository",
        what: "the hub refuses the download: the repository is gated, private or does not exist",
        advice: "accept the licence on the hub, and set a token that may read it",
        needles: &[
            "GatedRepoError",
            "Access to model",
            "RepositoryNotFoundError",
            "401 Client Error",
            "403 Client Error",
            "Cannot access gated repo",
        ],
    },
    Elsewhere {
        name: "driver-too-old",
        what: "the GPU's driver is older than the CUDA that the engine was built with",
        advice: "update the driver, or take a build of the engine for an older CUDA",
        needles: &[
            "The NVIDIA driver on your system is too old",
            "CUDA driver version is insufficient",
            "forward compatibility was attempted on non supported HW",
        ],
    },
    Elsewhere {
        name: "no-gpu",
        what: "the engine sees no GPU",
        advice: "start the container with GPUs, and look whether nvidia-smi names them",
        needles: &[
            "No CUDA GPUs are available",
            "Failed to infer device type",
            "no CUDA-capable device is detected",
            "Found no NVIDIA driver",
        ],
    },
    Elsewhere {
        name: "download-cut",
        what: "a download did not finish",
        advice: "run it again; what is whole is kept",
        needles: &[
            "IncompleteRead",
            "ChunkedEncodingError",
            "Connection reset by peer",
            "Read timed out",
            "Consistency check failed",
            "LocalEntryNotFoundError",
        ],
    },
    Elsewhere {
        name: "shared-memory",
        what: "the container's shared memory is too small",
        advice: "start it with --ipc=host or a larger --shm-size",
        needles: &[
            "insufficient shared memory",
            "unable to open shared memory object",
            "Bus error",
        ],
    },
    Elsewhere {
        name: "disk-full",
        what: "a disk is full",
        advice: "free some space",
        needles: &["No space left on device"],
    },
    Elsewhere {
        name: "nccl",
        what: "the GPUs cannot reach each other",
        advice: "run with NCCL_DEBUG=INFO and look at the first line that fails",
        needles: &[
            "NCCL error",
            "ncclInternalError",
            "ncclSystemError",
            "ncclUnhandledCudaError",
            "DistNetworkError",
            "ProcessGroupNCCL",
        ],
    },
    Elsewhere {
        name: "missing-python-package",
        what: "a Python package is missing",
        advice: "install it into the engine's environment",
        needles: &[
            "ModuleNotFoundError: No module named",
            "ImportError: cannot import name",
            "ImportError: lib",
        ],
    },
    Elsewhere {
        name: "kernel-build",
        what: "a kernel could not be compiled on this machine",
        advice: "install the toolkit that the message names, or a build that brings the kernel",
        needles: &["Could not find nvcc", "ninja: build stopped", "ptxas fatal"],
    },
    Elsewhere {
        name: "arguments",
        what: "an argument of the engine is not what it takes",
        advice: "look at the argument that the message names",
        needles: &[
            "error: unrecognized arguments",
            "error: argument ",
            "must be divisible by tensor parallel size",
            "is greater than the derived max_model_len",
            "is not divisible by tensor_parallel_size",
        ],
    },
    Elsewhere {
        name: "killed",
        what: "the system ended a process, most likely for want of memory",
        advice: "look at the kernel's log, and give the machine or container more memory",
        needles: &[
            "Out of memory: Killed process",
            "exit code -9",
            "exitcode: -9",
            "oom-kill",
        ],
    },
];

/// The failure that a text names.
pub(super) fn of(text: &str) -> Option<Elsewhere> {
    ALL.iter()
        .find(|elsewhere| elsewhere.needles.iter().any(|needle| text.contains(needle)))
        .copied()
}
