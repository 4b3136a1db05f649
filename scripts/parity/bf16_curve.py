#!/usr/bin/env python3
"""Burnish in bf16 with a master copy against Burnish in fp32: the loss of every step.

  bf16_curve.py MODEL DATA.jsonl [--steps 100]

Passes where no loss of bf16 is more than 1 % from fp32's.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]


def losses(model: str, data: str, steps: int, precision: str, folder: pathlib.Path) -> list[float]:
    recipe = folder / f"{precision}.yaml"
    recipe.write_text(json.dumps({
        "schema_version": 1, "model": {"source": model}, "precision": precision,
        "data": {"train": [data], "sequence_length": 512}, "train": {"end": {"steps": steps}, "global_batch_rows": 2},
        "optimizer": {"learning_rate": 2e-5, "schedule": {"name": "cosine", "warmup": 4}},
        "output": str(folder / precision)}))
    output = subprocess.run([ROOT / "burnish", "train", str(recipe), "--json", "--quiet"], check=True,
                            stdout=subprocess.PIPE, text=True).stdout
    return json.loads(output.splitlines()[-1])["losses"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model")
    parser.add_argument("data")
    parser.add_argument("--steps", type=int, default=100)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        wide, master, pure = (losses(options.model, options.data, options.steps, precision, pathlib.Path(folder))
                              for precision in ("fp32", "bf16", "pure_bf16"))
    for name, narrow in (("bf16", master), ("pure_bf16", pure)):
        apart = [abs(a - b) / b for a, b in zip(narrow, wide, strict=True)]
        print(f"{name}: last losses {narrow[-1]:.4f} and {wide[-1]:.4f} (fp32); "
              f"at most {max(apart):.2%} apart, at step {apart.index(max(apart)) + 1}")
    passed = all(abs(a - b) <= 0.01 * b for a, b in zip(master, wide))
    print("passed" if passed else "FAILED")
    sys.exit(not passed)


if __name__ == "__main__":
    main()
