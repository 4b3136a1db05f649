#!/usr/bin/env python3
"""Passes the metrics of a run on to MLflow."""
import argparse

import mlflow

from lines import lines, scalars

STATUS = {"finished": "FINISHED", "interrupted": "KILLED", "failed": "FAILED"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--experiment", default="burnish")
    options = parser.parse_args()
    mlflow.set_experiment(options.experiment)
    status = "FAILED"
    for line in lines():
        if line["kind"] == "start":
            mlflow.start_run(run_name=line["run"])
            mlflow.log_text(line["recipe"], "recipe.yaml")
        elif line["kind"] == "end":
            status = STATUS[line["status"]]
        elif line["kind"] == "answer":
            mlflow.log_text(f"{line['prompt']}\n\n{line['answer']}\n", f"answers/step-{line['step']}.txt")
        else:
            mlflow.log_metrics(scalars(line), step=line["step"])
    mlflow.end_run(status)


if __name__ == "__main__":
    main()
