"""What Burnish writes to a tracker's standard input, as plain values."""
import json
import sys
from typing import Iterator


def lines() -> Iterator[dict]:
    for line in sys.stdin:
        yield json.loads(line)


def scalars(line: dict) -> dict[str, float]:
    """The numbers of a step or an evaluation, by the names of the TensorBoard files."""
    if line["kind"] == "step":
        numbers = {f"train/{key}": line[key] for key in ("loss", "learning_rate", "gradient_norm", "loss_scale")
                   if line.get(key) is not None}
        numbers["train/tokens_per_s"] = line["tokens"] / line["step_s"]
        return numbers
    if line["kind"] == "evaluation":
        return {f"evaluation/{line['name']}/{key}": line[key] for key in ("loss", "accuracy")
                if line[key] is not None}
    return {}
