#!/usr/bin/env python3
"""Ten optimizer steps of a real model on real conversations, Burnish against transformers.

  ten_steps.py MODEL_FOLDER DATA.jsonl [--rows 4] [--steps 10]

Both see the same rows in file order, one sample a row, mask `assistant` (Burnish's own ids and labels,
as `burnish data inspect --json` prints them). AdamW 1e-4, decay 0.1 on matrices, clipping at 0.5, two
steps of warm-up, cosine to 1e-5. Prints the largest loss difference and, over all tensors, the
largest |change ours - change reference| / |change reference|; exits with 1 above 1e-5 or 1e-3.
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
from transformers import AutoModelForCausalLM

ROOT = pathlib.Path(__file__).resolve().parents[2]
RATE, FLOOR, DECAY, CLIP, WARMUP, BETAS, EPSILON = 1e-4, 1e-5, 0.1, 0.5, 2, (0.9, 0.95), 1e-8


def burnish(*arguments: str) -> str:
    return subprocess.run([ROOT / "burnish", *arguments], check=True, stdout=subprocess.PIPE, text=True).stdout


def learning_rate(step: int, steps: int) -> float:
    if step < WARMUP:
        return RATE * (step + 1) / WARMUP
    return FLOOR + (RATE - FLOOR) * (1 + math.cos(math.pi * (step - WARMUP) / (steps - WARMUP))) / 2


def reference(model_folder: str, samples: list[dict], rows: int, steps: int):
    model = AutoModelForCausalLM.from_pretrained(model_folder, dtype=torch.float32)
    named = dict(model.named_parameters())
    groups = [{"params": [p for n, p in named.items() if p.ndim >= 2], "weight_decay": DECAY},
              {"params": [p for n, p in named.items() if p.ndim < 2], "weight_decay": 0.0}]
    optimizer = torch.optim.AdamW(groups, lr=RATE, betas=BETAS, eps=EPSILON)
    losses, norms = [], []
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
        norms.append(torch.nn.utils.clip_grad_norm_(model.parameters(), CLIP).item())
        for group in optimizer.param_groups:
            group["lr"] = learning_rate(step, steps)
        optimizer.step()
        losses.append(total)
    return losses, norms, {name: p.detach() for name, p in named.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model")
    parser.add_argument("data")
    parser.add_argument("--rows", type=int, default=4)
    parser.add_argument("--steps", type=int, default=10)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        data = pathlib.Path(scratch) / "data.jsonl"
        lines = pathlib.Path(options.data).read_text(encoding="utf-8").splitlines()
        data.write_text("\n".join(lines[:options.rows * options.steps]) + "\n", encoding="utf-8")
        recipe = pathlib.Path(scratch) / "recipe.yaml"
        recipe.write_text(json.dumps({
            "schema_version": 1, "model": {"source": options.model},
            "data": {"train": [str(data)], "sequence_length": 1024, "packing": "none", "shuffle": None},
            "train": {"end": {"steps": options.steps}, "global_batch_rows": options.rows},
            "optimizer": {"learning_rate": RATE, "betas": BETAS, "epsilon": EPSILON, "weight_decay": DECAY,
                          "clip_norm": CLIP,
                          "schedule": {"name": "cosine", "warmup": WARMUP, "min_learning_rate": FLOOR}},
            "output": str(pathlib.Path(scratch) / "run")}))
        summary = json.loads(burnish("train", str(recipe), "--json").splitlines()[-1])
        inspected = burnish("data", "inspect", "--model", options.model, "--data", str(data), "--json")
        samples = [json.loads(line) for line in inspected.splitlines()]
        samples = [s for s in samples if "input_ids" in s]
        before = load_file(pathlib.Path(options.model) / "model.safetensors")
        ours = load_file(pathlib.Path(scratch) / "run" / "model" / "model.safetensors")
        losses, norms, after = reference(options.model, samples, options.rows, options.steps)

    worst_loss = max(abs(a - b) for a, b in zip(losses, summary["losses"], strict=True))
    worst, worst_name = 0.0, ""
    for name, value in ours.items():
        start = before[name].float()
        theirs = after[name] - start
        ratio = float((value - start - theirs).norm() / theirs.norm())
        if ratio > worst:
            worst, worst_name = ratio, name
    print(f"losses {[round(l, 6) for l in losses]}")
    print(f"gradient norms before clipping at {CLIP}: {[round(n, 3) for n in norms]}")
    print(f"largest loss difference {worst_loss:.2e} (at most 1e-5)")
    print(f"largest difference of a tensor's change {worst:.2e} of it, {worst_name} (at most 1e-3)")
    sys.exit(worst_loss > 1e-5 or worst > 1e-3)


if __name__ == "__main__":
    main()
