#!/usr/bin/env python3
"""Passes the metrics of a run on to Aim."""
import argparse

from aim import Run, Text

from lines import lines, scalars


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--experiment", default="burnish")
    parser.add_argument("--repo", default=".")
    options = parser.parse_args()
    run = Run(repo=options.repo, experiment=options.experiment)
    for line in lines():
        if line["kind"] == "start":
            run["recipe"] = line["recipe"]
            run.name = line["run"]
        elif line["kind"] == "end":
            run["status"] = line["status"]
        elif line["kind"] == "answer":
            run.track(Text(f"{line['prompt']}\n\n{line['answer']}"), name="answers", step=line["step"])
        else:
            for name, value in scalars(line).items():
                run.track(value, name=name, step=line["step"])
    run.close()


if __name__ == "__main__":
    main()
