"""Keys and defaults of TRL's and accelerate's configuration files, for tests/recipe/import_keys_test.cpp.

    python scripts/goldens/import_keys.py > tests/data/recipe/import/keys.json

Needs trl and accelerate (scripts/requirements-peers.txt). A default that is made at run time stands as
what it is made of: null, [] or {}; a key that must be given as "<required>".
"""

import dataclasses
import enum
import json
import sys

import accelerate
import transformers
import trl
from accelerate.commands.config.config_args import ClusterConfig
from accelerate.commands.launch import launch_command_parser
from trl import DatasetMixtureConfig, ModelConfig, ScriptArguments, SFTConfig


def plain(value):
    if isinstance(value, enum.Enum):
        value = value.value
    return value if isinstance(value, (bool, int, float, str, list, dict, type(None))) else str(value)


def fields(cls):
    found = {}
    for field in dataclasses.fields(cls):
        made = field.default_factory is not dataclasses.MISSING
        required = not made and field.default is dataclasses.MISSING
        found[field.name] = "<required>" if required else plain(field.default_factory() if made else field.default)
    return found


def launcher_options():
    """Options of `accelerate launch` that a configuration file gives in a group of its own."""
    groups = ("fsdp_", "parallelism_config_", "megatron_lm_", "dynamo_", "fp8_")
    return {a.dest: plain(a.default) for a in launch_command_parser()._actions if a.dest.startswith(groups)}


json.dump(
    {
        "made_with": {"trl": trl.__version__, "transformers": transformers.__version__, "accelerate": accelerate.__version__},
        "trl": {c.__name__: fields(c) for c in (SFTConfig, ModelConfig, ScriptArguments, DatasetMixtureConfig)},
        "accelerate": {"ClusterConfig": fields(ClusterConfig), "launch": launcher_options()},
    },
    sys.stdout,
    indent=1,
)
print()
