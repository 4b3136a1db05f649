#!/usr/bin/env python3
"""Burnish and TRL in turn on the same model, data and sizes; prints medians and their ratios."""
import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]


def last_json(command: list[str]) -> dict:
    output = subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
    return json.loads(output.splitlines()[-1])


def burnish(options: argparse.Namespace, scratch: str, number: int) -> dict:
    recipe = pathlib.Path(scratch) / f"recipe{number}.yaml"
    recipe.write_text(json.dumps({
        "schema_version": 1, "model": {"source": options.model}, "precision": options.precision,
        "data": {"train": [options.data], "sequence_length": options.length, "packing": "stream", "mask": "all"},
        "train": {"end": {"steps": options.steps}, "global_batch_rows": options.rows, "threads": options.threads},
        "optimizer": {"learning_rate": 1e-5, "betas": [0.9, 0.95], "schedule": {"name": "constant"}},
        "output": f"{scratch}/run{number}"}))
    return last_json([str(ROOT / "burnish"), "train", str(recipe), "--json", "--quiet"])


def trl(options: argparse.Namespace) -> dict:
    return last_json([sys.executable, str(HERE / "peer.py"), options.model, options.data, "--steps",
                      str(options.steps), "--rows", str(options.rows), "--length", str(options.length), "--threads",
                      str(options.threads), "--dtype", "float32" if options.precision == "fp32" else "bfloat16"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model")
    parser.add_argument("data")
    parser.add_argument("--steps", type=int, default=4)
    parser.add_argument("--rows", type=int, default=4)
    parser.add_argument("--length", type=int, default=512)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--precision", choices=["fp32", "bf16", "pure_bf16"], default="fp32",
                        help="Burnish's; TRL trains in bfloat16 throughout for the last two")
    options = parser.parse_args()
    runs: dict[str, list[dict]] = {"burnish": [], "trl": []}
    with tempfile.TemporaryDirectory() as scratch:
        for number in range(options.repeats):
            runs["burnish"].append(burnish(options, scratch, number))
            runs["trl"].append(trl(options))
            for name in runs:
                print(name, json.dumps({k: runs[name][-1][k] for k in (
                    "tokens", "tokens_per_s", "cpu_s_per_token", "startup_s", "peak_rss_mib", "losses")}), flush=True)
    print(f"{'median':18}{'burnish':>12}{'trl':>12}{'ratio':>10}")
    for key in ("cpu_s_per_token", "tokens_per_s", "startup_s", "peak_rss_mib"):
        ours, theirs = (statistics.median(r[key] for r in runs[name]) for name in ("burnish", "trl"))
        print(f"{key:18}{ours:12.4f}{theirs:12.4f}{theirs / ours:10.2f}")


if __name__ == "__main__":
    main()
