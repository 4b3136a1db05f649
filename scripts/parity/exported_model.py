#!/usr/bin/env python3
"""A model that Burnish exported, in transformers.

  exported_model.py EXPORTED_FOLDER DATA.jsonl [--gguf MODEL.gguf]

Logits of a real row (at most 2e-5 apart in fp64; in fp32 2e-5 as a root mean square and of the
largest logit), the ids of 200 conversations (equal), 32 greedy tokens (equal). With --gguf: the
weights that Burnish reads from the file, through an export without a step, against transformers'
own dequantization (equal bit for bit).
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import torch
from safetensors.torch import load_file, save_file
from transformers import AutoModelForCausalLM, AutoTokenizer

from transformers_model import load

ROOT = pathlib.Path(__file__).resolve().parents[2]


def burnish(*arguments: str, stdin: str | None = None) -> str:
    return subprocess.run([ROOT / "burnish", *arguments], check=True, input=stdin, stdout=subprocess.PIPE,
                          text=True).stdout


def check(title: str, passed: bool, detail: str) -> bool:
    print(f"{title}: {detail} {'' if passed else '  FAILED'}")
    return passed


def check_logits(folder: str, ids: torch.Tensor, scratch: pathlib.Path) -> bool:
    save_file({"input_ids": ids}, scratch / "in.safetensors")
    logits = {}
    for name, dtype in (("float64", torch.float64), ("float32", torch.float32)):
        burnish("model", "run", folder, "--input", str(scratch / "in.safetensors"), "--output",
                str(scratch / "out.safetensors"), "--dtype", name)
        logits["burnish", name] = load_file(scratch / "out.safetensors")["logits"].double()
        with torch.no_grad():
            logits["transformers", name] = load(folder, dtype)(ids).logits.double()

    exact = logits["transformers", "float64"]

    def apart(a: tuple[str, str], b: tuple[str, str] = ("transformers", "float64")) -> tuple[float, float]:
        difference = logits[a] - logits[b]
        return float(difference.abs().max()), float(difference.pow(2).mean().sqrt())

    in_fp64, _ = apart(("burnish", "float64"))
    passed = check("logits in fp64", in_fp64 <= 2e-5, f"largest difference {in_fp64:.2e} (at most 2e-5)")
    # in fp32 the largest of some millions is chance: transformers itself is 1e-4 from fp64
    largest, typical = apart(("burnish", "float32"), ("transformers", "float32"))
    (_, ours), (_, theirs) = apart(("burnish", "float32")), apart(("transformers", "float32"))
    relative = largest / float(exact.abs().max())
    return passed & check("logits in fp32", typical <= 2e-5 and relative <= 2e-5,
                          f"root mean square difference {typical:.2e} (at most 2e-5), largest {largest:.2e}, "
                          f"{relative:.2e} of the largest logit (at most 2e-5); root mean square from fp64: "
                          f"Burnish {ours:.2e}, transformers {theirs:.2e}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("data")
    parser.add_argument("--gguf")
    options = parser.parse_args()
    model = load(options.folder, torch.float32)
    tokenizer = AutoTokenizer.from_pretrained(options.folder)
    rows = [json.loads(line) for line in pathlib.Path(options.data).read_text(encoding="utf-8").splitlines()][:200]
    passed = True
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        (scratch / "rows.jsonl").write_text("".join(json.dumps(r) + "\n" for r in rows))
        rendered = [json.loads(line)["text"] for line in
                    burnish("text", "render", "--tokenizer", options.folder, "--rows", str(scratch / "rows.jsonl"),
                            "--json").splitlines()]
        (scratch / "texts.jsonl").write_text("".join(json.dumps({"text": t}) + "\n" for t in rendered))
        ours = [json.loads(line)["ids"] for line in
                burnish("text", "encode", "--tokenizer", options.folder, "--rows", str(scratch / "texts.jsonl"),
                        "--json").splitlines()]
        theirs = [tokenizer.apply_chat_template(r["messages"], tokenize=True, return_dict=False) for r in rows]
        equal = sum(a == b for a, b in zip(ours, theirs, strict=True))
        passed &= check("ids of conversations", equal == len(rows), f"{equal} of {len(rows)} equal")

        ids = torch.tensor([sum(theirs, [])[:512]])
        save_file({"input_ids": ids}, scratch / "in.safetensors")
        passed &= check_logits(options.folder, ids, scratch)

        prompt = rows[0]["messages"][0]["content"]
        chat = tokenizer.apply_chat_template([{"role": "user", "content": prompt}], add_generation_prompt=True,
                                             return_tensors="pt", return_dict=True)
        with torch.no_grad():
            made = model.generate(**chat, max_new_tokens=32, do_sample=False)[0, chat["input_ids"].shape[1]:]
        text = tokenizer.decode(made, skip_special_tokens=True)
        answer = burnish("chat", options.folder, "--prompt", prompt, "--max-tokens", "32", "--temperature", "0")
        passed &= check("32 greedy tokens", answer.rstrip("\n") == text.rstrip("\n"), repr(text))

        if options.gguf:
            path = pathlib.Path(options.gguf)
            reference = AutoModelForCausalLM.from_pretrained(path.parent, gguf_file=path.name, dtype=torch.float32)
            recipe = scratch / "recipe.yaml"
            recipe.write_text(json.dumps({
                "schema_version": 1, "model": {"source": options.gguf}, "data": {"train": [str(scratch / "rows.jsonl")]},
                "train": {"end": {"steps": 1}}, "optimizer": {"learning_rate": 0.0, "schedule": {"name": "constant"}},
                "output": str(scratch / "run")}))
            burnish("train", str(recipe), "--json", "--quiet")
            exported = load_file(scratch / "run" / "model" / "model.safetensors")
            state = dict(reference.named_parameters())
            equal = sum(torch.equal(value, state[name].detach()) for name, value in exported.items())
            passed &= check("GGUF weights", equal == len(exported), f"{equal} of {len(exported)} tensors equal")
    sys.exit(not passed)


if __name__ == "__main__":
    main()
