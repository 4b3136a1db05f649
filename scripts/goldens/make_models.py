#!/usr/bin/env python3
"""Makes again, and compares, the numbers of tests/data/golden/NAME (transformers 5.24, torch 2.13, CPU).

  make_models.py NAME...          checks golden.safetensors and golden_f64.safetensors
  make_models.py --write NAME...  writes them anew from the checkpoint and the stored inputs

fp32: transformers' eager forward; packed rows are each segment alone. fp64: the forward below, with
rope tables computed in fp32. grad_norm and grad_probe belong to golden.json's grad_rows;
probe = sum_j g_j ((37 j mod 101) / 50 - 1).
"""
import argparse
import json
import pathlib

import torch
from safetensors.torch import load_file, save_file
from transformers import AutoModelForCausalLM

GOLDEN = pathlib.Path(__file__).resolve().parents[2] / "tests" / "data" / "golden"


def pieces(inputs: dict, case: str) -> list[tuple[int, slice]]:
    """(row, slice) of each stretch of tokens that stands alone."""
    ids = inputs[f"{case}.input_ids"]
    if case == "packed":
        cu = inputs["packed.cu_seqlens"].tolist()
        return [(0, slice(a, b)) for a, b in zip(cu, cu[1:])]
    mask = inputs.get(f"{case}.attention_mask", torch.ones_like(ids))
    return [(row, slice(0, int(mask[row].sum()))) for row in range(ids.shape[0])]


def run(forward, parameters: dict, inputs: dict, case: str) -> dict:
    ids, labels = inputs[f"{case}.input_ids"], inputs[f"{case}.labels"]
    for p in parameters.values():
        p.grad = None
    nll, targets, logits = 0.0, 0, None
    for row, part in pieces(inputs, case):
        out = forward(ids[row, part])
        if logits is None:
            logits = torch.zeros(*ids.shape, out.shape[-1], dtype=out.dtype)
        logits[row, part] = out.detach()
        wanted = labels[row, part][1:]
        keep = wanted != -100
        nll = nll + torch.nn.functional.cross_entropy(out[:-1][keep], wanted[keep], reduction="sum")
        targets += int(keep.sum())
    loss = nll / targets
    loss.backward()
    return {"logits": logits, "loss": loss.detach(), "gradients": {k: p.grad for k, p in parameters.items()}}


def llama_fp64(folder: pathlib.Path):
    """x + O attention(rope(Q n), rope(K n), V n); h + down(silu(gate n) up n), in double."""
    config = json.loads((folder / "config.json").read_text())
    weights = {k: v.double().requires_grad_() for k, v in load_file(folder / "model.safetensors").items()}
    heads, kv = config["num_attention_heads"], config["num_key_value_heads"]
    dim = config.get("head_dim") or config["hidden_size"] // heads
    rope = config["rope_parameters"]
    f = 1.0 / (rope["rope_theta"] ** (torch.arange(0, dim, 2, dtype=torch.float32) / dim))
    if rope["rope_type"] == "llama3":
        old, low, high = rope["original_max_position_embeddings"], rope["low_freq_factor"], rope["high_freq_factor"]
        wave = 2 * torch.pi / f
        t = (old / wave - low) / (high - low)
        mixed = (1 - t) * f / rope["factor"] + t * f
        f = torch.where(wave > old / low, f / rope["factor"], torch.where(wave < old / high, f, mixed))

    def norm(x, name):
        return weights[name] * x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + config["rms_norm_eps"])

    def rotate(x, cos, sin):
        a, b = x.chunk(2, -1)
        return x * cos + torch.cat((-b, a), -1) * sin

    def forward(ids):
        T = len(ids)
        angle = torch.outer(torch.arange(T, dtype=torch.float32), f)
        cos = torch.cat((angle, angle), -1).cos().double()[:, None]
        sin = torch.cat((angle, angle), -1).sin().double()[:, None]
        pad = config.get("pad_token_id")
        x = torch.nn.functional.embedding(ids, weights["model.embed_tokens.weight"], padding_idx=pad)
        for i in range(config["num_hidden_layers"]):
            p = f"model.layers.{i}."
            n = norm(x, p + "input_layernorm.weight")
            q = rotate((n @ weights[p + "self_attn.q_proj.weight"].T).view(T, heads, dim), cos, sin)
            k = rotate((n @ weights[p + "self_attn.k_proj.weight"].T).view(T, kv, dim), cos, sin)
            v = (n @ weights[p + "self_attn.v_proj.weight"].T).view(T, kv, dim)
            k, v = (a.repeat_interleave(heads // kv, 1) for a in (k, v))
            scores = torch.einsum("qhd,khd->hqk", q, k) * dim**-0.5
            scores = scores.masked_fill(torch.triu(torch.ones(T, T, dtype=torch.bool), 1), float("-inf"))
            a = torch.einsum("hqk,khd->qhd", scores.softmax(-1), v).reshape(T, heads * dim)
            x = x + a @ weights[p + "self_attn.o_proj.weight"].T
            n = norm(x, p + "post_attention_layernorm.weight")
            gate, up = n @ weights[p + "mlp.gate_proj.weight"].T, n @ weights[p + "mlp.up_proj.weight"].T
            x = x + (torch.nn.functional.silu(gate) * up) @ weights[p + "mlp.down_proj.weight"].T
        return norm(x, "model.norm.weight") @ weights.get("lm_head.weight", weights["model.embed_tokens.weight"]).T

    return forward, weights


def numbers(result: dict, rows: list[str], case: str, flat: bool) -> dict:
    weight = lambda n: (37 * torch.arange(n) % 101).double() / 50.0 - 1
    gradients = [result["gradients"][name].double().flatten() for name in rows]
    logits = result["logits"].flatten(0, 1) if flat else result["logits"]
    return {f"{case}.logits": logits.contiguous(), f"{case}.loss": result["loss"],
            f"{case}.grad_norm": torch.stack([g.norm() for g in gradients]),
            f"{case}.grad_probe": torch.stack([(g * weight(len(g))).sum() for g in gradients])}


def compare(made: dict, stored: dict, inputs: dict, tolerance: float, title: str) -> None:
    for key, value in made.items():
        kept = value
        other = stored[key].to(value.dtype)
        mask = inputs.get(key.split(".")[0] + ".attention_mask")
        if key.endswith("logits") and mask is not None:
            kept, other = value[mask.bool()], other[mask.bool()]
        worst = float((kept - other).abs().max())
        print(f"{title} {key}: largest difference {worst:.2e}", "" if worst <= tolerance else "  TOO LARGE")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="+")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    for name in options.names:
        folder = GOLDEN / name
        rows = json.loads((folder / "golden.json").read_text())["grad_rows"]
        inputs = load_file(folder / "golden.safetensors")
        model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32, attn_implementation="eager")
        parameters = dict(model.named_parameters())
        fp32 = {}
        for case in ("single", "padded", "packed"):
            result = run(lambda ids: model(ids[None]).logits[0], parameters, inputs, case)
            fp32 |= numbers(result, rows, case, flat=False)
        forward, weights = llama_fp64(folder)
        fp64 = {}
        for case in ("single", "packed"):
            fp64 |= numbers(run(forward, weights, inputs, case), rows, case, flat=True)
        if options.write:
            save_file(inputs | fp32, folder / "golden.safetensors")
            save_file(fp64, folder / "golden_f64.safetensors")
        else:
            compare(fp32, inputs, inputs, 1e-4, f"{name} fp32")
            compare(fp64, load_file(folder / "golden_f64.safetensors"), inputs, 1e-9, f"{name} fp64")


if __name__ == "__main__":
    main()
