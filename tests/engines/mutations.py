"""The runner's own test: a proof fails where the fix edits nothing, where the library is missing, where the symptom matches anything or
nothing, and where a value is said to change that does not."""

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
LIBRARY = "transformers-4.57.6"
REFUSED, MISREAD = "tokenizers-backend-class", "rope-parameters-v5-on-v4"
OPTIONS = argparse.Namespace()


def prove(fixes=ROOT / "fixes", command=None, python=None, only=(REFUSED, MISREAD)):
    done = subprocess.run(
        [
            sys.executable,
            HERE / "prove.py",
            "--unsnag",
            command or OPTIONS.unsnag,
            "--environment",
            f"{LIBRARY}={python or OPTIONS.python}",
            "--fixes",
            fixes,
            *only,
        ],
        capture_output=True,
        text=True,
    )
    return done.returncode, done.stdout


class Mutations(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def mutated(self, fix, pattern, replacement):
        """The catalogue with one text of one fix replaced."""
        fixes = self.folder / "fixes"
        for path in (ROOT / "fixes").glob(f"*/{fix}"):
            shutil.copytree(path, fixes / path.parent.name / fix)
        (path,) = fixes.glob(f"*/{fix}/fix.toml")
        text, count = re.subn(pattern, lambda _: replacement, path.read_text())
        self.assertGreater(count, 0, "the mutation changes nothing")
        path.write_text(text)
        return fixes

    def fails(self, result, words):
        status, text = result
        self.assertEqual(status, 1, text)
        self.assertIn(words, text)

    def test_as_it_is_all_is_proved(self):
        status, text = prove()
        self.assertEqual(status, 0, text)
        self.assertIn(" 0 failed", text)

    def test_edits_that_change_nothing(self):
        command = self.folder / "unsnag"
        command.write_text("#!/bin/sh\nexit 0\n")
        command.chmod(0o755)
        self.fails(prove(command=command, only=[REFUSED]), "after: refuses")
        self.fails(prove(command=command, only=[MISREAD]), "after: rope_theta is")

    def test_a_command_that_fails(self):
        self.fails(prove(command="/bin/false", only=[REFUSED]), "apply: exit 1")

    def test_a_missing_library(self):
        self.fails(prove(python=sys.executable), "cannot be imported")
        self.fails(prove(python="/bin/false"), "the judge said")

    def test_a_symptom_that_matches_anything(self):
        for regex in (".*", ".", "Error", ""):
            with self.subTest(regex):
                fixes = self.mutated(REFUSED, r"(?m)^symptom = .*$", f"symptom = [ {{ regex = '{regex}' }} ]")
                self.fails(prove(fixes, only=[REFUSED]), "matches anything")
                shutil.rmtree(fixes)

    def test_a_symptom_that_does_not_match(self):
        fixes = self.mutated(REFUSED, r"(?m)^symptom = .*$", "symptom = [ { regex = 'another failure' } ]")
        self.fails(prove(fixes, only=[REFUSED]), "no symptom of the fix matches")

    def test_no_symptom(self):
        fixes = self.mutated(REFUSED, r"(?m)^symptom = .*$", "")
        self.fails(prove(fixes, only=[REFUSED]), "no symptom")

    def test_a_value_that_does_not_change(self):
        fixes = self.mutated(MISREAD, 'after = "500000.0"', 'after = "10000.0"')
        self.fails(prove(fixes, only=[MISREAD]), "a value that changes")

    def test_a_library_that_accepts(self):
        fixes = self.mutated(REFUSED, 'expect = "accepts"', 'expect = "refuses"')
        path = next(fixes.glob("*/*/fix.toml"))
        path.write_text(path.read_text().replace('"5.0.0"', '"4.57.6"'))
        clean = self.mutated_case(path.parent)
        self.fails(prove(fixes, only=[clean]), "the library accepts it")

    def mutated_case(self, folder):
        """Its cases already carry what apply would make."""
        for before in folder.glob("cases/*/before"):
            after = before.parent / "after"
            if after.is_dir():
                shutil.rmtree(before)
                shutil.copytree(after, before)
        return folder.name


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--unsnag", required=True)
    parser.add_argument("--python", required=True, help=f"of {LIBRARY}")
    parser.parse_args(namespace=OPTIONS)
    unittest.main(argv=[sys.argv[0]], verbosity=1)
