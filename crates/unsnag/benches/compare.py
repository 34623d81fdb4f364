#!/usr/bin/env python3
"""Compares `unsnag check` and `unsnag diagnose` with their peers as whole processes, and writes docs/benchmarks-command.md.

    python3 crates/unsnag/benches/compare.py [--corpus DIR] [--rg PATH] [--rounds N]

Every round runs the command and its peer one after the other; a figure is the median of the ratios of a round. CPU is user plus
system time as wait4 reports it. DIR holds model directories; without it the row is left out.
"""

import argparse
import json
import multiprocessing
import os
import pathlib
import shutil
import statistics
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent.parent
UNSNAG = ROOT / "target" / "release" / "unsnag"
MODEL = ROOT / "tests" / "models" / "kimi-k2.5-nvfp4"
FOUNDING = ["--engine", "vllm@0.15.1", "--gpu", "sm120", "--no-detect"]


def run(argv):
    """Wall seconds, CPU seconds and peak memory in MB of one process."""
    start = time.perf_counter()
    null = [(os.POSIX_SPAWN_OPEN, fd, os.devnull, os.O_RDWR, 0) for fd in (0, 1, 2)]
    pid = os.posix_spawnp(argv[0], [str(word) for word in argv], os.environ, file_actions=null)
    _, status, usage = os.wait4(pid, 0)
    if os.waitstatus_to_exitcode(status) not in (0, 1):
        raise SystemExit(f"{' '.join(map(str, argv))[:200]} failed with {status}")
    return time.perf_counter() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def row(what, ours, peer, by, bound, rounds):
    """A row of the table; `by` is 0 for wall time, 1 for CPU."""
    measured = [(run(ours), run(peer)) for _ in range(rounds)]
    ratio = statistics.median(a[by] / b[by] for a, b in measured)
    mine = statistics.median(a[by] for a, _ in measured) * 1000
    theirs = statistics.median(b[by] for _, b in measured) * 1000
    peak = max(a[2] for a, _ in measured)
    held = "held" if ratio <= bound else "MISSED"
    return f"| {what} | {'CPU' if by else 'wall'} | {mine:.1f} | {theirs:.1f} | {ratio:.3f} | {bound} | {peak:.0f} | {held} |"


def large_model(folder):
    """140,000 tensors in 61 shards with headers of about 300 kB, as a large mixture of experts has them."""
    weight_map, header, total = {}, {}, 61
    for number in range(140_000):
        shard = number * total // 140_000
        name = f"model.layers.{shard}.mlp.experts.{number % 384}.part{number % 6}.weight_scale_{number}"
        weight_map[name] = f"model-{shard + 1:05}-of-{total:05}.safetensors"
        header.setdefault(shard, {})[name] = {"dtype": "F8_E4M3", "shape": [1], "data_offsets": [0, 1]}
    shutil.copytree(MODEL, folder, dirs_exist_ok=True)
    index = {"metadata": {"total_size": 140_000}, "weight_map": weight_map}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index, indent=2))
    for shard, tensors in header.items():
        for place, entry in enumerate(tensors.values()):
            entry["data_offsets"] = [place, place + 1]
        text = json.dumps(tensors).encode()
        path = folder / f"model-{shard + 1:05}-of-{total:05}.safetensors"
        path.write_bytes(len(text).to_bytes(8, "little") + text + bytes(len(tensors)))


def is_json(path):
    """jq stops at the first file that is none."""
    try:
        json.loads(path.read_bytes())
    except ValueError:
        return False
    return True


def large_log(path, size=1 << 30):
    """A crashed start, then the traffic of days."""
    lines = []
    for n in range(20_000):
        lines.append(f'(APIServer pid=1) INFO:     10.0.0.{n % 250}:4{n % 10000:04} - "POST /v1/chat/completions HTTP/1.1" 200 OK')
        if n % 2 == 0:
            lines.append(f"(APIServer pid=1) INFO 03-02 10:00:{n % 60:02} [loggers.py:257] Engine 000: Avg prompt throughput: {n}.1 tokens/s, Running: {n % 60} reqs")
        if n % 1000 == 0:
            lines.append(f"(APIServer pid=1) ERROR 03-02 10:00:00 [serving_chat.py:240] Error in preprocessing prompt inputs {n}")
    block = ("\n".join(lines) + "\n").encode()
    with open(path, "wb") as file:
        file.write((ROOT / "tests" / "logs" / "founding-kimi-k2.5-tp8.log").read_bytes())
        while file.tell() < size:
            file.write(block)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--corpus", type=pathlib.Path)
    parser.add_argument("--rg", default="rg")
    parser.add_argument("--rounds", type=int, default=21)
    options = parser.parse_args()
    subprocess.run(["cargo", "build", "-q", "--release"], cwd=ROOT, check=True)
    rows = []
    founding = options.corpus / "067-nvidia--Kimi-K2.5-NVFP4" if options.corpus else MODEL
    if not founding.is_dir():
        founding = MODEL
    jq = ["jq", ".", founding / "config.json"]
    rows.append(row("`check` of the founding directory to `jq . config.json`", [UNSNAG, "check", founding, *FOUNDING], jq, 1, 0.4, options.rounds))
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        # In a process of its own: the memory of this one counts as the least peak of all it starts.
        maker = multiprocessing.Process(target=large_model, args=(folder / "model",))
        maker.start()
        maker.join()
        index = ["jq", "length", folder / "model" / "model.safetensors.index.json"]
        rows.append(row("`check` of 140,000 tensors in 61 shards to `jq length` of the index", [UNSNAG, "check", folder / "model", *FOUNDING], index, 1, 0.5, 7))
        if options.corpus:
            files = sorted(path for path in options.corpus.rglob("*.json"))
            script = ["sh", "-c", 'cat "$@" | jq length', "sh", *filter(is_json, files)]
            rows.append(row(f"`check --recursive` of {len(list(options.corpus.iterdir()))} directories to `cat` of their JSON files through `jq length`", [UNSNAG, "check", "--recursive", options.corpus, *FOUNDING], script, 0, 2.0, 7))
        large_log(folder / "log")
        run(["cat", folder / "log"])
        rg = [options.rg, "-c", "(?i)error|traceback", folder / "log"]
        rows.append(row("`diagnose` of a log of 1 GB to `rg -c '(?i)error\\|traceback'`", [UNSNAG, "diagnose", folder / "log"], rg, 0, 3.0, 7))
    text = f"""# Benchmarks of the command

Written by `crates/unsnag/benches/compare.py`; do not edit. Whole processes, a warm page cache; a ratio is the median of the ratios within a round.
Peak memory below about 15 MB is that of the measuring program.

| what | of | ours ms | peer ms | ratio | at most | peak MB | |
|---|---|---|---|---|---|---|---|
{chr(10).join(rows)}
"""
    (ROOT / "docs" / "benchmarks-command.md").write_text(text)
    print(text)


if __name__ == "__main__":
    main()
