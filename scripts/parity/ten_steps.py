#!/usr/bin/env python3
"""Ten optimizer steps of a real model on real conversations, Burnish against transformers.

  ten_steps.py MODEL_FOLDER DATA.jsonl [--rows 4] [--steps 10]

Both see the same rows in file order, one sample a row, mask `assistant` (Burnish's own ids and labels,
as `burnish data inspect --json` prints them). AdamW 1e-4, decay 0.1 on matrices, clipping at 0.5, two
steps of warm-up, cosine to 1e-5. Each runs in fp64 and in fp32. Printed for each pair: the largest
difference of a loss and, over all tensors, the largest |change a - change b| / |change b|.

In fp64 the two must agree (losses 1e-5, changes 1e-3). In fp32 their changes must agree (1e-3), and
Burnish's losses must be within 1e-5 of transformers', or no farther from fp64 than those are.
"""
import argparse
import json
import math
import pathlib
import subprocess
import sys
import tempfile

import torch
from safetensors.torch import load_file

from transformers_model import load

ROOT = pathlib.Path(__file__).resolve().parents[2]
RATE, FLOOR, DECAY, CLIP, WARMUP, BETAS, EPSILON = 1e-4, 1e-5, 0.1, 0.5, 2, (0.9, 0.95), 1e-8
LOSS_BOUND, CHANGE_BOUND = 1e-5, 1e-3


def run_burnish(*arguments: str) -> str:
    return subprocess.run([ROOT / "burnish", *arguments], check=True, stdout=subprocess.PIPE, text=True).stdout


def learning_rate(step: int, steps: int) -> float:
    if step < WARMUP:
        return RATE * (step + 1) / WARMUP
    return FLOOR + (RATE - FLOOR) * (1 + math.cos(math.pi * (step - WARMUP) / (steps - WARMUP))) / 2


def transformers_run(model_folder: str, samples: list[dict], rows: int, steps: int, dtype: torch.dtype):
    model = load(model_folder, dtype)
    named = dict(model.named_parameters())
    groups = [{"params": [p for n, p in named.items() if p.ndim >= 2], "weight_decay": DECAY},
              {"params": [p for n, p in named.items() if p.ndim < 2], "weight_decay": 0.0}]
    optimizer = torch.optim.AdamW(groups, lr=RATE, betas=BETAS, eps=EPSILON)
    losses = []
    for step in range(steps):
        batch = samples[step * rows:(step + 1) * rows]
        targets = sum(sum(label != -100 for label in s["labels"][1:]) for s in batch)
        optimizer.zero_grad()
        total = 0.0
        for s in batch:
            ids, labels = torch.tensor([s["input_ids"]]), torch.tensor(s["labels"][1:])
            logits = model(ids).logits[0, :-1]
            loss = torch.nn.functional.cross_entropy(logits, labels, ignore_index=-100, reduction="sum") / targets
            loss.backward()
            total += loss.item()
        torch.nn.utils.clip_grad_norm_(model.parameters(), CLIP)
        for group in optimizer.param_groups:
            group["lr"] = learning_rate(step, steps)
        optimizer.step()
        losses.append(total)
    return losses, {name: p.detach().clone() for name, p in named.items()}


def burnish_run(folder: pathlib.Path, model_folder: str, data: pathlib.Path, rows: int, steps: int, precision: str):
    recipe = folder / f"{precision}.yaml"
    recipe.write_text(json.dumps({
        "schema_version": 1, "model": {"source": model_folder}, "precision": precision,
        "data": {"train": [str(data)], "sequence_length": 1024, "packing": "none", "shuffle": None},
        "train": {"end": {"steps": steps}, "global_batch_rows": rows},
        "optimizer": {"learning_rate": RATE, "betas": BETAS, "epsilon": EPSILON, "weight_decay": DECAY,
                      "clip_norm": CLIP, "schedule": {"name": "cosine", "warmup": WARMUP, "min_learning_rate": FLOOR}},
        "checkpoint": {"every_steps": steps}, "output": str(folder / precision)}))
    losses = json.loads(run_burnish("train", str(recipe), "--json", "--quiet").splitlines()[-1])["losses"]
    checkpoint, = (folder / precision / "checkpoints").iterdir()
    return losses, load_file(checkpoint / "weights.safetensors")


def differences(a, b, start: dict) -> tuple[float, float, str]:
    """The largest loss difference; the largest relative difference of a tensor's change, and the tensor."""
    changes = {}
    for name, value in a[1].items():
        before = start[name].double()
        change_b = b[1][name].double() - before
        changes[name] = float((value.double() - before - change_b).norm() / change_b.norm())
    worst = max(changes, key=changes.get)
    return max(abs(x - y) for x, y in zip(a[0], b[0], strict=True)), changes[worst], worst


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model")
    parser.add_argument("data")
    parser.add_argument("--rows", type=int, default=4)
    parser.add_argument("--steps", type=int, default=10)
    options = parser.parse_args()
    start = load_file(pathlib.Path(options.model) / "model.safetensors")
    runs = {}
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        data = folder / "data.jsonl"
        lines = pathlib.Path(options.data).read_text(encoding="utf-8").splitlines()
        data.write_text("\n".join(lines[:options.rows * options.steps]) + "\n", encoding="utf-8")
        inspected = run_burnish("data", "inspect", "--model", options.model, "--data", str(data), "--json")
        samples = [s for s in map(json.loads, inspected.splitlines()) if "input_ids" in s]
        for precision, dtype in (("fp64", torch.float64), ("fp32", torch.float32)):
            runs["burnish", precision] = burnish_run(folder, options.model, data, options.rows, options.steps, precision)
            runs["transformers", precision] = transformers_run(options.model, samples, options.rows, options.steps, dtype)

    print(f"losses {[round(loss, 6) for loss in runs['transformers', 'fp64'][0]]}")
    found = {}
    for a, b in ((("burnish", "fp64"), ("transformers", "fp64")), (("burnish", "fp32"), ("transformers", "fp32")),
                 (("burnish", "fp32"), ("transformers", "fp64")), (("transformers", "fp32"), ("transformers", "fp64"))):
        loss, change, name = found[a, b] = differences(runs[a], runs[b], start)
        print(f"{' '.join(a):18} - {' '.join(b):18}: losses {loss:.2e}, changes {change:.2e} ({name})")
    fp64, fp32, ours, theirs = found.values()
    passed = (fp64[0] <= LOSS_BOUND and fp64[1] <= CHANGE_BOUND and fp32[1] <= CHANGE_BOUND
              and (fp32[0] <= LOSS_BOUND or ours[0] <= theirs[0]))
    print("passed" if passed else "FAILED")
    sys.exit(not passed)


if __name__ == "__main__":
    main()
