#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Holds scenarios/schema.json against the loader.

usage: schema_agrees.py [VERDICT]     (VERDICT: the scenario_verdict program)

1. The schema is itself valid, accepts the good files and the shipped
   scenarios, refuses the bad ones, and accepts those that only their meaning
   makes wrong; JSON itself refuses (or the strict reader below) the bad texts.
2. Thousands of systematic mutations of the good files get the same verdict
   from both. Where the loader refuses and the schema does not, the reason
   must be one that a schema cannot express.

Exit status: 0 agree, 1 disagree, 77 cannot be run here.
"""
import copy
import json
import os
import pathlib
import subprocess
import sys
import tempfile

try:
    import jsonschema
except ImportError:
    print("skipped: python3-jsonschema is not installed")
    sys.exit(77)

TOP = pathlib.Path(os.environ.get("srcdir", pathlib.Path(__file__).resolve().parent.parent))
DATA = TOP / "tests" / "data" / "scenario"
VERDICT = sys.argv[1] if len(sys.argv) > 1 else os.environ.get("SCENARIO_VERDICT", "tests/scenario_verdict")

# What a JSON Schema cannot say; everything else must be in it.
SEMANTIC = (
    "unknown profile", "unknown variant", "is a named variant already", "processes on",
    "do not fit", "does not fit", "CPUs in all", "no dump of a pool", "a pool, which only", "no such file", "in the header", "a line too long", "the line of mm_stat", "defer_batch without a batch", "defers what the swap code lets go", "has other axes elsewhere",
    "more runs than",
    # modules: what lies in a file, and what its name gives; the good files' own is made for the loader
    "no module here", "gives no variant name", "is another allocator elsewhere",
    # a block's "cpus" sets aside the clusters above it, and no profile is left
    "no CPU is named",
)

# Values of every kind and around every limit, for each place.
REPLACEMENTS = (
    None, True, "", "base", "x y", "munmap", "double-free", -1, 0, 1, 1.5, 2.0, 3, 4, 16, 17, 255, 256,
    257, 1000000, 1000001, 65537, 4097, 9007199254740992, [], [1], ["base"], ["cortex-a55"], {},
    {"sweep": [4]}, {"sweep": []}, {"sweep": [4, 4]}, {"sweep": 4}, {"sweep": [4], "x": 1},
    {"name": "new"}, {"profile": "cortex-a55", "cpus": 1}, [{"profile": "cortex-a76", "cpus": 2}],
    {"clusters": [{"profile": "cortex-a55", "cpus": 2}]},
    "tree.so", ".so", {"kernel": "tree.so"}, {"kernel": "tree.so", "lookup": "pool-lock"}, {"kernel": ""},
    ["tree.so"], "shared-atomic",
)

KEYS = ("profiles", "variants", "machine", "cpus", "clusters", "seed", "runs", "break", "from",
        "defer_batch", "name", "sweep", "kind", "mapping", "variant", "kernel", "zram_stats")


SHIPPED = ("bring-your-own.json", "munmap.json", "quick.json")

# The modules that the good and the shipped files name. They are not in the
# sources: the verdict program makes them where the loader looks first.
MODULES = ("tree.so", "my.so")


class Refused(Exception):
    """The text is not strict JSON."""


def no_constant(word):
    raise Refused(word)


def no_duplicates(pairs):
    if len(dict(pairs)) != len(pairs):
        raise Refused("duplicate key")
    return dict(pairs)


def finite(text):
    value = float(text)
    if value in (float("inf"), float("-inf")):
        raise Refused(text)
    return value


def strict(path):
    text = path.read_bytes().decode("utf-8")
    return json.loads(text, parse_constant=no_constant, object_pairs_hook=no_duplicates, parse_float=finite)


def places(node, path=()):
    yield path
    children = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for key, child in children:
        yield from places(child, path + (key,))


def at(node, path):
    for key in path:
        node = node[key]
    return node


def mutations(document):
    """The document with one place replaced, removed, repeated, or given one more key."""
    for path in places(document):
        for value in REPLACEMENTS:
            changed = copy.deepcopy(document)
            if path:
                at(changed, path[:-1])[path[-1]] = copy.deepcopy(value)
                yield changed
        if path:
            changed = copy.deepcopy(document)
            del at(changed, path[:-1])[path[-1]]
            yield changed
        node = at(document, path)
        if isinstance(node, list) and node:
            changed = copy.deepcopy(document)
            at(changed, path).append(copy.deepcopy(node[0]))
            yield changed
        if isinstance(node, dict):
            for key in KEYS:
                if key not in node:
                    for value in (4, "base", ["base"], ["cortex-a55"]):
                        changed = copy.deepcopy(document)
                        at(changed, path)[key] = value
                        yield changed


def check_files(schema):
    wrong = []
    good = sorted((DATA / "good").glob("*.json")) + [TOP / "scenarios" / name for name in SHIPPED]
    for path in good + sorted((DATA / "bad-semantic").glob("*.json")):
        for error in schema.iter_errors(strict(path)):
            wrong.append(f"{path}: the schema refuses it: {error.message}")
    for path in sorted((DATA / "bad").glob("*.json")):
        if schema.is_valid(strict(path)):
            wrong.append(f"{path}: the schema accepts it")
    return wrong, good


def loader_verdicts(documents):
    with tempfile.TemporaryDirectory() as directory:
        paths = []
        for number, document in enumerate(documents):
            paths.append(f"{directory}/{number}.json")
            with open(paths[-1], "w", encoding="utf-8") as file:
                json.dump(document, file)
        program = os.path.abspath(VERDICT)
        for module in MODULES:
            subprocess.run([program, "--module", module], cwd=directory, check=True)
        verdicts = []
        for start in range(0, len(paths), 500):
            done = subprocess.run([program] + paths[start:start + 500], cwd=directory, capture_output=True,
                                  text=True, check=True)
            verdicts += done.stdout.splitlines()
    assert len(verdicts) == len(documents)
    return verdicts


def check_mutations(schema, good):
    seen = {}
    for path in good:
        for document in mutations(strict(path)):
            seen.setdefault(json.dumps(document, sort_keys=True), document)
    documents = list(seen.values())
    wrong, accepted, semantic = [], 0, 0
    for document, verdict in zip(documents, loader_verdicts(documents)):
        loader = verdict.startswith("accept")
        by_meaning = any(reason in verdict for reason in SEMANTIC)
        accepted += loader
        semantic += by_meaning
        if not loader and by_meaning:
            continue
        if loader != schema.is_valid(document):
            wrong.append(f"{json.dumps(document)}: the loader says {verdict!r}, the schema the opposite")
    print(f"{len(documents)} mutations: {accepted} accepted by both, {semantic} refused by meaning, "
          f"{len(documents) - accepted - semantic} refused by both, {len(wrong)} disagreements")
    if accepted < 100 or len(documents) - accepted - semantic < 100:
        wrong.append("the mutations are one-sided and prove nothing")
    return wrong


def main():
    document = strict(TOP / "scenarios" / "schema.json")
    jsonschema.Draft202012Validator.check_schema(document)
    schema = jsonschema.Draft202012Validator(document)
    wrong, good = check_files(schema)
    if os.access(VERDICT, os.X_OK):
        wrong += check_mutations(schema, good)
    else:
        wrong.append(f"{VERDICT}: no such program; build it with make check")
    for line in wrong[:20]:
        print(line)
    return 1 if wrong else 0


sys.exit(main())
