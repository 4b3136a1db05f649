#!/usr/bin/env python3
"""Checks that a room of src/ includes only itself and rooms above it (docs/architecture.md)."""
import pathlib
import re
import sys

ROOMS = ["base", "format", "hub", "text", "data", "recipe", "declare", "measure", "plan", "record",
         "kernel", "comm", "model", "adapter", "engine", "generate", "train", "explore", "report", "cli"]
TENSOR_ROOMS = {"kernel", "comm", "model", "adapter", "engine", "generate", "train"}
# rooms below the tensor rooms that live in the executable: they reach tensors only through the door
DOOR_ONLY = {"explore", "report", "cli"}
TENSOR_HEADERS = re.compile(r"^(ATen|c10|torch)/")


def problems_in(path: pathlib.Path, room: str) -> list[str]:
    found = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        match = re.match(r'\s*#\s*include\s*[<"]([^>"]+)[>"]', line)
        if not match:
            continue
        target = match.group(1)
        other = target.split("/")[0]
        where = f"{path}:{number}"
        if TENSOR_HEADERS.match(target) and room not in TENSOR_ROOMS:
            found.append(f"{where}: {room} has no tensors but includes {target}")
        if re.match(r"(fmt|spdlog)/", target) and room in TENSOR_ROOMS:
            found.append(f"{where}: libtorch ships another fmt: {target} stays out of {room}")
        if "/" not in target or other not in ROOMS:
            continue
        if ROOMS.index(other) > ROOMS.index(room):
            found.append(f"{where}: {room} stands above {other} and may not know it")
        if other in TENSOR_ROOMS and room in DOOR_ONLY:
            found.append(f"{where}: {room} reaches {other} only through engine_door.h")
    return found


def main() -> None:
    source = pathlib.Path(__file__).resolve().parent.parent / "src"
    found = []
    for folder in sorted(p for p in source.iterdir() if p.is_dir()):
        if folder.name not in ROOMS:
            found.append(f"{folder}: not a room of docs/architecture.md")
            continue
        for path in sorted(folder.rglob("*")):
            if path.suffix in (".h", ".cpp"):
                found += problems_in(path, folder.name)
    print("\n".join(found) if found else "include rule: clean")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
