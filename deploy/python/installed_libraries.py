"""The torch and the pyarrow that `pip install` builds against: the installed ones, else the pinned ones.

Their C++ interfaces change with each minor version of torch and each major one of pyarrow, so what is
built asks for the versions that it was built with. Started as a script with a name (by CMake) it
prints the folder of that package.
"""
import importlib.machinery
import pathlib
import sys
import sysconfig
from importlib.metadata import Distribution, DistributionFinder, MetadataPathFinder

ROOT = pathlib.Path(__file__).resolve().parents[2]
VERSION_PARTS = {"torch": 2, "pyarrow": 1}  # that must be the same


def folder(name: str) -> pathlib.Path | None:
    """In the environment that is installed into, even where pip hides that from the build; else in the build's."""
    for path in ([sysconfig.get_path("platlib")], None):
        spec = importlib.machinery.PathFinder.find_spec(name, path)
        if spec and spec.origin:
            return pathlib.Path(spec.origin).parent
    return None


def version(name: str) -> str:
    context = DistributionFinder.Context(name=name, path=[str(folder(name).parent)])
    distribution: Distribution = next(iter(MetadataPathFinder.find_distributions(context)))
    return distribution.version


def get_requires_for_dynamic_metadata(settings) -> list[str]:
    pinned = (ROOT / "scripts/requirements-build.txt").read_text(encoding="utf-8").split()
    return [requirement for requirement in pinned if not folder(requirement.split("==")[0])]


def dynamic_metadata(settings, project) -> dict[str, list[str]]:
    same = {name: ".".join(version(name).split(".")[:parts]) for name, parts in VERSION_PARTS.items()}
    return {"dependencies": [f"{name}=={numbers}.*" for name, numbers in same.items()]}


if __name__ == "__main__":
    print(folder(sys.argv[1]) or "")
