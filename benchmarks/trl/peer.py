#!/usr/bin/env python3
"""TRL's side of compare.py: trains and prints one JSON line of figures."""
import argparse
import json
import resource
import tempfile
import time

BEGIN = time.time()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("model")
    parser.add_argument("data")
    parser.add_argument("--steps", type=int, default=4)
    parser.add_argument("--rows", type=int, default=4)
    parser.add_argument("--length", type=int, default=512)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--dtype", choices=["float32", "bfloat16"], default="float32")
    options = parser.parse_args()

    import datasets
    import torch
    import transformers
    import trl

    torch.set_num_threads(options.threads)
    steps = []

    class Clock(transformers.TrainerCallback):
        def on_step_begin(self, *args, **kwargs):
            steps.append({"begin": time.time(), "cpu_begin": time.process_time(), "tokens": 0})

        def on_step_end(self, *args, **kwargs):
            steps[-1] |= {"end": time.time(), "cpu_end": time.process_time()}

    class CountingTrainer(trl.SFTTrainer):
        def training_step(self, model, inputs, *args, **kwargs):
            mask = inputs.get("attention_mask")
            steps[-1]["tokens"] += int(mask.sum()) if mask is not None else inputs["input_ids"].numel()
            return super().training_step(model, inputs, *args, **kwargs)

    config = trl.SFTConfig(
        output_dir=tempfile.mkdtemp(), max_steps=options.steps, per_device_train_batch_size=options.rows,
        max_length=options.length, packing=True, packing_strategy="wrapped", learning_rate=1e-5, adam_beta2=0.95,
        weight_decay=0.0, lr_scheduler_type="constant", use_cpu=True, bf16=False, gradient_checkpointing=False,
        logging_steps=1, report_to=[], save_strategy="no", disable_tqdm=True, seed=0)
    trainer = CountingTrainer(
        model=transformers.AutoModelForCausalLM.from_pretrained(options.model, dtype=getattr(torch, options.dtype)),
        processing_class=transformers.AutoTokenizer.from_pretrained(options.model),
        train_dataset=datasets.load_dataset("json", data_files=options.data, split="train"),
        args=config, callbacks=[Clock()])
    trainer.train()
    measured = steps[1:]
    tokens = sum(s["tokens"] for s in measured)
    print(json.dumps({
        "tokens": [s["tokens"] for s in steps],
        "tokens_per_s": tokens / sum(s["end"] - s["begin"] for s in measured),
        "cpu_s_per_token": sum(s["cpu_end"] - s["cpu_begin"] for s in measured) / tokens,
        "startup_s": steps[0]["begin"] - BEGIN,
        "peak_rss_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "losses": [entry["loss"] for entry in trainer.state.log_history if "loss" in entry]}))


if __name__ == "__main__":
    main()
