#!/usr/bin/env python3
"""Small Parquet files for tests/data/parquet_test.cpp, with what pyarrow itself reads from them.

  make_parquet.py tests/data/data/parquet      (needs pyarrow)
"""
import datetime
import hashlib
import json
import pathlib
import sys

import pyarrow as pa
import pyarrow.parquet as pq

FOLDER = pathlib.Path(sys.argv[1])


def write(name: str, table: pa.Table, **options) -> None:
    pq.write_table(table, FOLDER / f"{name}.parquet", **options)


def conversation(i: int) -> list[dict]:
    return [{"role": "user", "content": f"Question {i}: wie spät? 時計"},
            {"role": "assistant", "content": f"Answer {i}." * (i % 5 + 1)}]


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    message = pa.struct([("role", pa.dictionary(pa.int32(), pa.string())), ("content", pa.string()),
                         ("name", pa.string())])
    rows = [[{**m, "name": None} for m in conversation(i)] for i in range(25)]
    # `when` has no place in JSON, and `filler` must not be fetched
    filler = ["".join(hashlib.sha256(f"{i} {k}".encode()).hexdigest() for k in range(32)) for i in range(25)]
    write("messages", pa.table({
        "when": pa.array([datetime.datetime(2020, 1, 1)] * 25, pa.timestamp("us")),
        "filler": filler,
        "messages": pa.array(rows, pa.list_(message)),
        "tools": pa.nulls(25)}), row_group_size=10, compression="zstd")
    write("text", pa.table({"text": pa.array(["eins", "zwei", "drei"] * 4, pa.large_string())}), row_group_size=5,
          compression="snappy")
    write("nulls", pa.table({"text": ["good", None, "also good"]}), compression="none")
    broken = pa.array([b"good", b"\xff\xfe", b"also good"], pa.binary()).view(pa.string())
    write("not_utf8", pa.table({"text": broken}), compression="none")
    write("empty", pa.table({"text": pa.array([], pa.string())}))
    write("other_layout", pa.table({"prompt": ["a"], "completion": ["b"]}))
    write("times", pa.table({"text": pa.array([datetime.datetime(2020, 1, 1)], pa.timestamp("us"))}))

    kinds = pa.table({
        "bool": [True, None, False], "i8": pa.array([-128, 127, None], pa.int8()),
        "u64": pa.array([2**64 - 1, 0, None], pa.uint64()), "f32": pa.array([0.5, None, -2.0], pa.float32()),
        "f64": [0.1, 1e300, None], "null": pa.nulls(3),
        "list": [[1, 2], [], None], "fixed": pa.array([[1, 2], None, [3, 4]], pa.list_(pa.int32(), 2)),
        "nested": [[{"a": [{"b": "x"}], "c": None}], [], None],
        "map": pa.array([[("k", 1), ("l", 2)], [], None], pa.map_(pa.string(), pa.int64())),
        "word": pa.array(["x", "y", "x"]).dictionary_encode()})
    write("kinds", kinds)
    expected = [{k: dict(v) if k == "map" and v is not None else v for k, v in row.items()}
                for row in pq.read_table(FOLDER / "kinds.parquet").to_pylist()]
    (FOLDER / "kinds.json").write_text(json.dumps(expected, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
