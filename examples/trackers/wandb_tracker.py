#!/usr/bin/env python3
"""Passes the metrics of a run on to Weights & Biases."""
import argparse

import wandb

from lines import lines, scalars


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--project", default="burnish")
    options = parser.parse_args()
    run, status = None, "failed"
    for line in lines():
        if line["kind"] == "start":
            run = wandb.init(project=options.project, name=line["run"], config={"recipe": line["recipe"]})
            run.define_metric("*", step_metric="step")
        elif line["kind"] == "end":
            status = line["status"]
        elif line["kind"] == "answer":
            run.log({"step": line["step"], "answers": wandb.Html(f"<b>{line['prompt']}</b><p>{line['answer']}</p>")})
        else:
            run.log({"step": line["step"], **scalars(line)})
    if run:
        run.finish(exit_code=0 if status == "finished" else 1)


if __name__ == "__main__":
    main()
