"""Starts the program, which is native: Python ends here."""
import importlib.util
import os
import pathlib
import sys
import sysconfig


def main() -> None:
    program = pathlib.Path(__file__).parent / "burnish"
    torch = importlib.util.find_spec("torch")
    if torch is not None and torch.origin is not None:
        os.environ.setdefault("BURNISH_LIBTORCH", str(pathlib.Path(torch.origin).parent))
    os.environ.setdefault("BURNISH_PACKAGES", sysconfig.get_path("purelib"))
    os.execv(program, [str(program), *sys.argv[1:]])
