"""The torch that `pip install` builds against: the installed one, else the pinned one.

libtorch's C++ interface changes from one minor version to the next, so what is built asks for the
version that it was built with. Started as a script (by cmake/Libtorch.cmake) it prints the folder.
"""
import importlib.machinery
import pathlib
import re
import sysconfig

ROOT = pathlib.Path(__file__).resolve().parents[2]


def folder() -> pathlib.Path | None:
    """In the environment that is installed into, even where pip hides that from the build; else in the build's."""
    spec = importlib.machinery.PathFinder.find_spec("torch", [sysconfig.get_path("platlib")])
    spec = spec or importlib.machinery.PathFinder.find_spec("torch")
    return pathlib.Path(spec.origin).parent if spec and spec.origin else None


def get_requires_for_dynamic_metadata(settings) -> list[str]:
    return [] if folder() else [(ROOT / "scripts/requirements-build.txt").read_text(encoding="utf-8").strip()]


def dynamic_metadata(settings, project) -> dict[str, list[str]]:
    text = (folder() / "version.py").read_text(encoding="utf-8")
    return {"dependencies": ["torch==" + re.search(r"__version__ = '(\d+\.\d+)", text)[1] + ".*"]}


if __name__ == "__main__":
    print(folder() or "")
