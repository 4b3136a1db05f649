#!/usr/bin/env python3
"""Ten optimizer steps of a real model on real conversations, Burnish against transformers.

  ten_steps.py MODEL_FOLDER DATA.jsonl [--rows 4] [--steps 10]

Both see the same rows in file order, one sample a row, mask `assistant` (Burnish's own ids and labels,
as `burnish data inspect --json` prints them). AdamW 1e-4, decay 0.1 on matrices, clipping at 0.5, two
steps of warm-up, cosine to 1e-5. Each runs in fp64 and in fp32. Printed for each pair: the largest
difference of a loss; |change a - change b| / |change b| of all weights together, and its largest of
a tensor.

In fp64 the two must agree to 1e-9, which holds the formulas, the order and the schedule. Burnish's
fp32 is held against transformers' fp64: losses within 1e-5, changes within 1e-3 of all weights and of
each tensor, or, for losses and tensors, no farther than transformers' own fp32. No fp32 program can
promise the bound for every tensor: Adam's first update is the gradient's sign, so that an element
whose gradient is as small as its rounding error (4e-6 of its tensor's) moves either way, and a norm
weight has few elements to spread that over.
"""
import argparse
import json
import math
import pathlib
import subprocess
import sys
import tempfile
from typing import NamedTuple

import torch
from safetensors.torch import load_file

from transformers_model import load

ROOT = pathlib.Path(__file__).resolve().parents[2]
RATE, FLOOR, DECAY, CLIP, WARMUP, BETAS, EPSILON = 1e-4, 1e-5, 0.1, 0.5, 2, (0.9, 0.95), 1e-8
LOSS_BOUND, CHANGE_BOUND, FP64_BOUND = 1e-5, 1e-3, 1e-9


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


class Difference(NamedTuple):
    loss: float  # the largest of a step
    change: float  # relative, of all weights together
    tensor_changes: dict[str, float]

    @property
    def worst(self) -> str:
        return max(self.tensor_changes, key=self.tensor_changes.get)


def differences(a, b, start: dict) -> Difference:
    changes, apart_squared, change_squared = {}, 0.0, 0.0
    for name, value in a[1].items():
        before = start[name].double()
        change_b = b[1][name].double() - before
        apart, change = float((value.double() - before - change_b).norm()), float(change_b.norm())
        changes[name] = apart / change
        apart_squared += apart**2
        change_squared += change**2
    loss = max(abs(x - y) for x, y in zip(a[0], b[0], strict=True))
    return Difference(loss, math.sqrt(apart_squared / change_squared), changes)


def holds(fp64: Difference, ours: Difference, theirs: Difference) -> bool:
    """`ours` and `theirs`: the two fp32 runs against fp64."""
    exact = max(fp64.loss, *fp64.tensor_changes.values()) <= FP64_BOUND
    losses = ours.loss <= max(LOSS_BOUND, theirs.loss)
    tensors = max(ours.tensor_changes.values()) <= max(CHANGE_BOUND, *theirs.tensor_changes.values())
    return exact and losses and tensors and ours.change <= CHANGE_BOUND


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
        d = found[a, b] = differences(runs[a], runs[b], start)
        print(f"{' '.join(a):18} - {' '.join(b):18}: losses {d.loss:.2e}, changes {d.change:.2e}, "
              f"worst tensor {d.tensor_changes[d.worst]:.2e} ({d.worst})")
    fp64, _, ours, theirs = found.values()
    passed = holds(fp64, ours, theirs)
    print("passed" if passed else "FAILED")
    sys.exit(not passed)


if __name__ == "__main__":
    main()
