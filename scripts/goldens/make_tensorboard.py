#!/usr/bin/env python3
"""Makes tests/data/format/tensorboard/ with TensorBoard's own writer and messages.

  pip install tensorboard
  scripts/goldens/make_tensorboard.py tests/data/format/tensorboard
  scripts/goldens/make_tensorboard.py --read RUN_FOLDER    what TensorBoard reads in a run of ours

golden.tfevents holds the events below; tests/format/tensorboard_test.cpp makes the same bytes.
"""
import io
import json
import pathlib
import sys

from tensorboard.compat.proto.event_pb2 import Event, SessionLog
from tensorboard.compat.proto.summary_pb2 import Summary
from tensorboard.summary.writer.record_writer import RecordWriter


def scalars(wall_time: float, step: int, values: list[tuple[str, float]]) -> Event:
    summary = Summary(value=[Summary.Value(tag=tag, simple_value=value) for tag, value in values])
    return Event(wall_time=wall_time, step=step, summary=summary)


EVENTS = [
    Event(wall_time=1750000000.25, file_version="brain.Event:2"),
    scalars(1750000001.5, 0, [("evaluation/held_out", 2.66)]),
    scalars(1750000002.0, 1, [("train/loss", 2.5), ("train/learning_rate", 1e-5), ("zero", 0.0)]),
    scalars(1750000003.0, 127, [("größe/日本", float("inf"))]),
    scalars(1750000004.0, 128, [("t" * 200, -1.25)]),
    scalars(1750000005.0, 2**40 + 3, [("train/loss", 3.4e38)]),
    scalars(1750000006.0, -1, []),
    Event(wall_time=1750000007.0, step=129, session_log=SessionLog(status=SessionLog.START)),
    scalars(1750000008.0, 129, [("", 1.0)]),
]


def make(folder: pathlib.Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    out = io.BytesIO()
    writer = RecordWriter(out)
    for event in EVENTS:
        writer.write(event.SerializeToString(deterministic=True))
    (folder / "golden.tfevents").write_bytes(out.getvalue())


def read(folder: str) -> None:
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
    accumulator = EventAccumulator(folder)
    accumulator.Reload()
    for tag in accumulator.Tags()["scalars"]:
        print(json.dumps({tag: [(e.step, e.value) for e in accumulator.Scalars(tag)]}))


if __name__ == "__main__":
    if sys.argv[1] == "--read":
        read(sys.argv[2])
    else:
        make(pathlib.Path(sys.argv[1]))
