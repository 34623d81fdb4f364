"""Proves fixes: the library refuses a case, with the fix's own symptom; it accepts it after `unsnag apply`; after `unsnag revert` it
refuses again. See README.md beside this file."""

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
# No library says this: a symptom that matches it would match anything.
CONTROL = "RuntimeError: an unrelated sentence about nothing in particular, with 42 words fewer"


@dataclass
class Proof:
    """A [[proof]] of a fix, and what became of it."""

    fix: str
    folder: Path
    data: dict
    symptoms: list
    faults: list = field(default_factory=list)
    before: str = ""
    after: str = ""

    @property
    def environment(self):
        return f"{self.data['library']}-{self.data['version']}"

    @property
    def expect(self):
        return self.data.get("expect", "refuses")

    def case(self):
        return tomllib.loads((self.folder / "cases" / self.data["case"] / "case.toml").read_text())

    def source(self):
        case = self.case()
        return self.folder / "cases" / case.get("from", self.data["case"]) / "before"

    def request(self, directory):
        return {
            "check": self.data["check"],
            "directory": str(directory),
            "show": sorted(self.data.get("show", {})),
            "arguments": self.data.get("args", []),
            "gpu": self.data.get("gpu", ""),
        }


def proofs(fixes, wanted):
    found = []
    for path in sorted(fixes.glob("*/*/fix.toml")):
        fix = path.parent.name
        if wanted and fix not in wanted:
            continue
        data = tomllib.loads(path.read_text())
        symptoms = [symptom["regex"] for symptom in data.get("symptom", [])]
        found += [Proof(fix, path.parent, proof, symptoms) for proof in data.get("proof", [])]
    return found


def materialise(source, directory):
    """A copy of a case; X.safetensors.header.json becomes X.safetensors with data of the right length."""
    shutil.copytree(source, directory)
    for header in directory.rglob("*.safetensors.header.json"):
        text = header.read_bytes()
        tensors = json.loads(text)
        ends = [entry["data_offsets"][1] for name, entry in tensors.items() if name != "__metadata__"]
        data = len(text).to_bytes(8, "little") + text + bytes(max(ends, default=0))
        header.with_name(header.name.removesuffix(".header.json")).write_bytes(data)
        header.unlink()


class Library:
    """An environment, and the judge in it."""

    def __init__(self, name, python):
        self.name, self.python = name, python

    def judge(self, requests):
        """Answers in the order of the requests. One process for each GPU."""
        answers = [None] * len(requests)
        by_gpu = defaultdict(list)
        for place, request in enumerate(requests):
            by_gpu[request["gpu"]].append(place)
        for places in by_gpu.values():
            done = subprocess.run(
                [self.python, HERE / "judge.py"],
                input=json.dumps([requests[place] for place in places]),
                capture_output=True,
                text=True,
            )
            try:
                spoken = json.loads(done.stdout.splitlines()[-1])
            except (IndexError, ValueError):
                last = (done.stderr.strip().splitlines() or ["nothing"])[-1]
                spoken = [{"verdict": "broken", "message": f"the judge said {last}", "shown": {}}] * len(places)
            for place, answer in zip(places, spoken, strict=True):
                answers[place] = answer
        return answers


def unsnag(command, verb, directory, *arguments):
    words = [str(word) for word in [command, verb, directory, "--yes", *arguments]]
    done = subprocess.run(words, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    return done.returncode, (done.stderr + done.stdout).strip()


def targets(proof):
    """Apply is asked under the case's own target, and the proof's library where it is an engine of its own."""
    target = proof.case().get("target", {})
    words = ["--no-detect", "--fix", proof.fix]
    if engine := target.get("engine"):
        words += ["--engine", engine]
    gpus = target.get("gpu", [])
    for gpu in [gpus] if isinstance(gpus, str) else gpus:
        words += ["--gpu", gpu]
    for library in target.get("with", []):
        words += ["--with", library]
    for intent in target.get("intent", []):
        words += ["--intent", intent]
    if proof.case().get("lossy"):
        words.append("--lossy")
    if cure := proof.case().get("cure"):
        words += ["--cure", f"{proof.fix}={cure}"]
    return words


def short(answer):
    if answer["verdict"] == "refuses":
        return answer["message"].split("\n")[0][:60]
    if answer["verdict"] == "broken":
        return "BROKEN " + answer["message"][:60]
    shown = " ".join(f"{name}={value}" for name, value in sorted(answer["shown"].items()))
    return f"accepts {shown}"[:60].strip()


def bytes_of(directory):
    return {path.relative_to(directory): path.read_bytes() for path in sorted(directory.rglob("*")) if path.is_file()}


def verdict_before(proof, answer, when):
    """What the unpatched directory must show."""
    if answer["verdict"] == "broken":
        proof.faults.append(f"{when}: {answer['message']}")
    elif proof.expect == "refuses":
        if answer["verdict"] != "refuses":
            proof.faults.append(f"{when}: the library accepts it")
        elif not any(re.search(symptom, answer["message"]) for symptom in proof.symptoms):
            proof.faults.append(f"{when}: no symptom of the fix matches {answer['message'][:200]!r}")
    elif answer["verdict"] != "accepts":
        proof.faults.append(f"{when}: {answer['message'][:300]}")
    elif proof.expect == "misreads":
        compare(proof, answer, "before", when)


def verdict_after(proof, answer):
    """What the patched directory must show."""
    if answer["verdict"] != "accepts":
        proof.faults.append(f"after: {answer['verdict']} {answer['message'][:300]}")
    else:
        compare(proof, answer, "after", "after")


def compare(proof, answer, side, when):
    for name, values in proof.data.get("show", {}).items():
        if answer["shown"].get(name) != values[side]:
            proof.faults.append(f"{when}: {name} is {answer['shown'].get(name)}, not {values[side]}")


def prove(library, group, command):
    """Carries out the proofs of one environment: each judged before, after and again, all directories of a step in one process."""
    with tempfile.TemporaryDirectory() as folder:
        places = [Path(folder) / f"{place}-{proof.fix}" for place, proof in enumerate(group)]
        for proof, place in zip(group, places, strict=True):
            materialise(proof.source(), place)
            symptomless = proof.expect == "refuses" and not proof.symptoms
            if symptomless or any(re.search(symptom, CONTROL) for symptom in proof.symptoms):
                proof.faults.append("the fix has no symptom, or one that matches anything")
            if proof.expect == "misreads" and not all(
                values["before"] != values["after"] for values in proof.data.get("show", {"": {"before": 0, "after": 0}}).values()
            ):
                proof.faults.append("a misreading is shown by a value that changes")
        requests = [proof.request(place) for proof, place in zip(group, places, strict=True)]
        for proof, answer in zip(group, library.judge(requests), strict=True):
            proof.before = short(answer)
            verdict_before(proof, answer, "before")

        open_ = [n for n, proof in enumerate(group) if proof.expect != "accepts" and not proof.faults]
        originals = {}
        for n in open_:
            originals[n] = bytes_of(places[n])
            status, text = unsnag(command, "apply", places[n], *targets(group[n]))
            if status != 0:
                group[n].faults.append(f"apply: exit {status}: {text[:300]}")
        for n, answer in zip(open_, library.judge([requests[n] for n in open_]) if open_ else [], strict=True):
            group[n].after = short(answer)
            verdict_after(group[n], answer)

        for n in open_:
            status, text = unsnag(command, "revert", places[n])
            if status != 0:
                group[n].faults.append(f"revert: exit {status}: {text[:300]}")
            elif bytes_of(places[n]) != originals[n]:
                group[n].faults.append("revert: not the same bytes")
        for n, answer in zip(open_, library.judge([requests[n] for n in open_]) if open_ else [], strict=True):
            verdict_before(group[n], answer, "reverted")


def main():
    parser = argparse.ArgumentParser(description="Lets real libraries judge the catalogue's fixes.")
    parser.add_argument("fix", nargs="*", help="only these fixes")
    parser.add_argument("--fixes", type=Path, default=ROOT / "fixes")
    parser.add_argument("--unsnag", type=Path, required=True, help="the command")
    parser.add_argument("--environment", action="append", default=[], metavar="NAME=PYTHON", help="a library's Python")
    options = parser.parse_args()
    pythons = dict(word.split("=", 1) for word in options.environment)
    groups = defaultdict(list)
    for proof in proofs(options.fixes, set(options.fix)):
        groups[proof.environment].append(proof)
    failed, done, skipped = [], 0, 0
    print(f"{'fix':34} {'library':28} {'before':62} after")
    for name in sorted(groups):
        if name not in pythons:
            skipped += len(groups[name])
            continue
        prove(Library(name, pythons[name]), groups[name], options.unsnag)
        for proof in groups[name]:
            done += 1
            print(f"{proof.fix:34} {name:28} {proof.before:62} {proof.after or '-'}")
            for fault in proof.faults:
                print(f"    FAULT {fault}")
            if proof.faults:
                failed.append(proof)
    fixes = {proof.fix for group in groups.values() for proof in group if proof.environment in pythons and not proof.faults}
    print(f"{done} proofs of {len(fixes)} fixes, {len(failed)} failed, {skipped} not asked (their libraries are not here)")
    if done == 0:
        print("nothing was proved", file=sys.stderr)
        return 2
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
