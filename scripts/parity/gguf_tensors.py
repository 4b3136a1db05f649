#!/usr/bin/env python3
"""The tensors of GGUF files, Burnish against the gguf package.

  gguf_tensors.py MODEL.gguf...

Every tensor's name, shape and type, and its values dequantized to float32 (SHA-256 of the bytes, as
`burnish model show --stored --hash` prints it: equal bit for bit). Any architecture: the model need not
be one that Burnish trains.
"""
import argparse
import collections
import hashlib
import json
import pathlib
import subprocess
import sys

import gguf
import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]


def theirs(path: str) -> dict[str, tuple]:
    tensors = {}
    for tensor in gguf.GGUFReader(path).tensors:
        values = np.ascontiguousarray(gguf.dequantize(tensor.data, tensor.tensor_type), dtype="<f4")
        shape = [int(size) for size in reversed(tensor.shape)]
        tensors[tensor.name] = (shape, tensor.tensor_type.name, hashlib.sha256(values).hexdigest())
    return tensors


def ours(program: str, path: str) -> dict[str, tuple]:
    shown = subprocess.run([program, "model", "show", path, "--stored", "--hash", "--json"], check=True,
                           stdout=subprocess.PIPE)
    return {t["name"]: (t["shape"], t["dtype"], t["sha256"]) for t in json.loads(shown.stdout)["tensors"]}


def check(program: str, path: str) -> bool:
    expected, found = theirs(path), ours(program, path)
    wrong = [name for name in expected.keys() | found.keys() if expected.get(name) != found.get(name)]
    kinds = collections.Counter(kind for _, kind, _ in expected.values())
    print(f"{pathlib.Path(path).name}: {len(expected) - len(set(wrong) & expected.keys())} of {len(expected)} tensors "
          f"equal ({', '.join(f'{kind} {count}' for kind, count in sorted(kinds.items()))})"
          f"{'  FAILED: ' + ', '.join(sorted(wrong)[:5]) if wrong else ''}")
    return not wrong


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", metavar="MODEL.gguf")
    parser.add_argument("--program", default=str(ROOT / "burnish"), help="default: ./burnish")
    options = parser.parse_args()
    sys.exit(not all([check(options.program, path) for path in options.files]))


if __name__ == "__main__":
    main()
