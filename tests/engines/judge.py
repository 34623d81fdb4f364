"""Lets a library judge model directories. Runs with the Python of the library's own environment.

Reads a JSON list of requests from standard input, each {"check", "directory", "show", "arguments", "gpu"}, and prints a JSON
list of answers, each {"verdict", "message", "shown"}. The verdict is `accepts`, `refuses` (the library raised; the message is
its own) or `broken` (the library is not here, or the request is wrong), which never is a verdict on the directory.

Each check calls entry points of the library and decides nothing itself. The one thing that is simulated is the GPU of the
vLLM checks: its capability, name and memory.
"""

import contextlib
import importlib
import inspect
import io
import json
import os
import sys
import tempfile
import warnings
from pathlib import Path

for name, value in {
    "CUDA_VISIBLE_DEVICES": "",
    "DO_NOT_TRACK": "1",
    "HF_HUB_OFFLINE": "1",
    "TOKENIZERS_PARALLELISM": "false",
    "TRANSFORMERS_OFFLINE": "1",
    "TRANSFORMERS_VERBOSITY": "error",
    "VLLM_LOGGING_LEVEL": "ERROR",
    "VLLM_NO_USAGE_STATS": "1",
}.items():
    os.environ.setdefault(name, value)

CHECKS = {}
TEXT = "hi hi"


class Broken(Exception):
    """The environment or the request is at fault, not the directory."""


def check(function):
    CHECKS[function.__name__.replace("_", "-")] = function
    return function


def library(name):
    try:
        return importlib.import_module(name)
    except Exception as error:
        raise Broken(f"{name} cannot be imported: {type(error).__name__}: {error}") from error


def read(directory, name):
    path = Path(directory) / name
    if not path.is_file():
        raise Broken(f"{name} is not in the directory")
    return json.loads(path.read_text(encoding="utf-8"))


def attributes(thing, names):
    """The values that a library read, by dotted name, as it would print them."""
    shown = {}
    for name in names:
        value = thing
        for part in name.split("."):
            value = value.get(part) if isinstance(value, dict) else getattr(value, part, None)
        shown[name] = str(value)
    return shown


# ---- transformers


@check
def tf_config(request):
    config = library("transformers").AutoConfig.from_pretrained(request["directory"])
    config.to_json_string()
    return attributes(config, request["show"])


@check
def tf_tokenizer(request):
    tokenizer = library("transformers").AutoTokenizer.from_pretrained(request["directory"])
    ids = tokenizer(TEXT)["input_ids"]
    shown = {"ids": str(list(ids)), "class": type(tokenizer).__name__}
    others = [name for name in request["show"] if name not in shown]
    return shown | attributes(tokenizer, others)


@check
def tf_truncation(request):
    tokenizer = library("transformers").AutoTokenizer.from_pretrained(request["directory"])
    # As training scripts do, which hand the tokenizer its own limit.
    tokenizer(TEXT, truncation=True, max_length=tokenizer.model_max_length)
    return attributes(tokenizer, request["show"])


@check
def tf_chat(request):
    tokenizer = library("transformers").AutoTokenizer.from_pretrained(request["directory"])
    return {"chat_template": "present" if tokenizer.chat_template else "None"}


@check
def tf_generation(request):
    config = library("transformers").GenerationConfig.from_pretrained(request["directory"])
    with tempfile.TemporaryDirectory() as folder:
        config.save_pretrained(folder)  # a save validates strictly
    return attributes(config, request["show"])


@check
def tf_image(request):
    processor = library("transformers").AutoImageProcessor.from_pretrained(request["directory"])
    return {"class": type(processor).__name__} | attributes(processor, request["show"])


@check
def tf_index(request):
    hub = library("transformers.utils.hub")
    path = Path(request["directory"]) / "model.safetensors.index.json"
    hub.get_checkpoint_shard_files(request["directory"], str(path))
    return {}


@check
def tf_quant(request):
    quantizers = library("transformers.quantizers.auto")
    block = read(request["directory"], "config.json").get("quantization_config")
    if block is None:
        raise Broken("there is no quantization_config")
    quantizers.AutoQuantizationConfig.from_dict(dict(block))
    return {}


# ---- quantization, adapters, embeddings


@check
def ct_quant(request):
    quantization = library("compressed_tensors.quantization")
    block = read(request["directory"], "config.json").get("quantization_config")
    if block is None:
        raise Broken("there is no quantization_config")
    quantization.QuantizationConfig.model_validate(block)
    return {}


@check
def peft_lora(request):
    config = library("peft").PeftConfig.from_pretrained(request["directory"])
    return attributes(config, request["show"])


@check
def st_modules(request):
    """What SentenceTransformer does with modules.json, but for the weights."""
    util = library("sentence_transformers.util")
    for module in read(request["directory"], "modules.json"):
        kind = util.import_from_string(module["type"])
        if kind.__name__ == "Pooling":
            kind.load(str(Path(request["directory"]) / module["path"]))
    return {}


# ---- mlx-lm


@check
def mlx_model(request):
    utilities = library("mlx_lm.utils")
    configuration = utilities.load_config(Path(request["directory"]))
    model, arguments = utilities._get_classes(configuration)
    arguments = arguments.from_dict(configuration)
    model(arguments)
    return attributes(arguments, request["show"])


# ---- vLLM


def simulated_gpu(gpu):
    """Makes vLLM believe in one NVIDIA GPU."""
    digits = gpu.removeprefix("sm")
    capability = (int(digits[:-1]), int(digits[-1]))
    if getattr(simulated_gpu, "capability", capability) != capability:
        raise Broken("one GPU a process")
    if hasattr(simulated_gpu, "capability"):
        return
    simulated_gpu.capability = capability
    torch = library("torch")
    torch.cuda.get_device_capability = lambda device=None: capability

    def without_a_device(function):
        def call(*arguments, **named):
            if str(named.get("device", "")).startswith("cuda"):
                named["device"] = "meta"
            return function(*arguments, **named)

        return call

    for name in ("arange", "empty", "full", "ones", "tensor", "zeros"):
        setattr(torch, name, without_a_device(getattr(torch, name)))
    stub = Path(sys.prefix) / "libcuda" / "libcuda.so.1"
    if stub.is_file():
        import ctypes

        ctypes.CDLL(str(stub), mode=ctypes.RTLD_GLOBAL)
    flags = sys.getdlopenflags()
    sys.setdlopenflags(os.RTLD_LAZY)  # the driver's functions are named and never called
    try:
        cuda = library("vllm.platforms.cuda")
    finally:
        sys.setdlopenflags(flags)
    platforms = library("vllm.platforms")
    interface = library("vllm.platforms.interface")

    class Simulated(cuda.CudaPlatformBase):
        @classmethod
        def get_device_capability(cls, device_id=0):
            return interface.DeviceCapability(*capability)

        @classmethod
        def get_device_name(cls, device_id=0):
            return f"simulated {gpu}"

        @classmethod
        def get_device_total_memory(cls, device_id=0):
            return 96 << 30

        @classmethod
        def get_device_uuid(cls, device_id=0):
            return "GPU-0"

        @classmethod
        def num_compute_units(cls, device_id=0):
            return 188

        @classmethod
        def is_fully_connected(cls, ids):
            return True

        @classmethod
        def device_count(cls):
            return 1

    platforms._current_platform = Simulated()
    for module in list(sys.modules.values()):
        if getattr(module, "__name__", "").startswith("vllm.") and "current_platform" in vars(module):
            module.current_platform = platforms._current_platform
    # A child process would not know the GPU.
    library("vllm.model_executor.models.registry")._run_in_subprocess = lambda function: function()


def vllm_configuration(request):
    library("vllm")
    simulated_gpu(request["gpu"] or "sm120")
    arguments = dict(model=request["directory"], skip_tokenizer_init=True, enforce_eager=True)
    for word in request["arguments"]:
        name, _, value = word.removeprefix("--").replace("=", " ", 1).partition(" ")
        arguments[name.replace("-", "_")] = value
    return library("vllm.engine.arg_utils").EngineArgs(**arguments).create_engine_config()


def vllm_shown(configuration):
    model, cache = configuration.model_config, configuration.cache_config
    return {
        "architecture": str(model.architectures[0]),
        "quantization": str(model.quantization),
        "kv_cache_dtype": str(cache.cache_dtype),
    }


@check
def vllm_config(request):
    return vllm_shown(vllm_configuration(request))


@check
def vllm_attn(request):
    configuration = vllm_configuration(request)
    select = library("vllm.v1.attention.selector").get_attn_backend
    model, cache = configuration.model_config, configuration.cache_config
    asked = dict(
        head_size=model.get_head_size(),
        dtype=model.dtype,
        kv_cache_dtype=cache.cache_dtype,
        block_size=cache.block_size,
        use_mla=model.use_mla,
        use_sparse=hasattr(model.hf_text_config, "index_topk"),
        num_heads=model.get_num_attention_heads(configuration.parallel_config),
    )
    known = inspect.signature(select).parameters
    with library("vllm.config").set_current_vllm_config(configuration):
        backend = select(**{name: value for name, value in asked.items() if name in known})
    return vllm_shown(configuration) | {"backend": backend.get_name()}


# ---- the verdict


def said(error):
    text = str(error).strip()
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    lines = [line for line in lines if not line.startswith("For further information")]
    return f"{type(error).__name__}: {chr(10).join(lines)}"[:4000]


def judge(request):
    try:
        if request["check"] not in CHECKS:
            raise Broken(f"there is no check {request['check']}")
        if not Path(request["directory"]).is_dir():
            raise Broken("there is no such directory")
        # Recorded, not ignored: a strict save asks whether there were any.
        with warnings.catch_warnings(record=True), contextlib.redirect_stdout(io.StringIO()):
            warnings.simplefilter("always")
            shown = CHECKS[request["check"]](request)
        missing = [name for name in request["show"] if name not in shown]
        if missing:
            raise Broken(f"{request['check']} does not show {', '.join(missing)}")
        return {"verdict": "accepts", "message": "", "shown": shown}
    except Broken as error:
        return {"verdict": "broken", "message": str(error), "shown": {}}
    except (Exception, SystemExit) as error:
        return {"verdict": "refuses", "message": said(error), "shown": {}}


if __name__ == "__main__":
    answers = json.dumps([judge(request) for request in json.load(sys.stdin)])
    sys.stdout.write(answers + "\n")
    sys.stdout.flush()
    os._exit(0)  # engines leave threads behind
