"""Writes tests/data/format/blocks.{gguf,safetensors}: random blocks of every block format that is read,
and the float32 values that the gguf package makes of them.

Needs the packages gguf, numpy and safetensors. Run it from the root:

    python scripts/goldens/make_gguf_blocks.py

Any bytes are a valid block; only the scales in binary16 are chosen: all kinds of finite numbers.
"""

from pathlib import Path

import gguf
import numpy as np
from safetensors.numpy import save_file

FORMAT = Path(__file__).parents[2] / "tests" / "data" / "format"
RANDOM = np.random.default_rng(4)

# Where the scales stand in a block, in bytes.
SCALES = {
    "Q4_0": [0], "Q4_1": [0, 2], "Q5_0": [0], "Q5_1": [0, 2], "Q8_0": [0], "IQ4_NL": [0], "IQ4_XS": [0],
    "Q2_K": [80, 82], "Q3_K": [108], "Q4_K": [0, 2], "Q5_K": [0, 2], "Q6_K": [208],
}  # fmt: skip

# 0, -0, the smallest and largest subnormals, the smallest normal, the largest finite, and plain ones.
SPECIAL = [0x0000, 0x8000, 0x0001, 0x8001, 0x03FF, 0x83FF, 0x0400, 0x7BFF, 0xFBFF]
ROWS, BLOCKS = 3, 4


def scales():
    plain = RANDOM.standard_normal(ROWS * BLOCKS - len(SPECIAL)).astype(np.float16).view(np.uint16)
    return RANDOM.permutation(np.concatenate([np.array(SPECIAL, dtype=np.uint16), plain]))


def blocks(kind):
    size = gguf.GGML_QUANT_SIZES[kind][1]
    made = RANDOM.integers(0, 256, (ROWS * BLOCKS, size), dtype=np.uint8)
    for offset in SCALES[kind.name]:
        made[:, offset : offset + 2] = scales().reshape(-1, 1).view(np.uint8)
    return made.reshape(ROWS, BLOCKS * size)


def main():
    out = gguf.GGUFWriter(FORMAT / "blocks.gguf", "llama")
    expected = {}
    for name in SCALES:
        kind = gguf.GGMLQuantizationType[name]
        data = blocks(kind)
        out.add_tensor(name, data, raw_dtype=kind)
        expected[name] = np.ascontiguousarray(gguf.dequantize(data, kind), dtype=np.float32)
        assert np.isfinite(expected[name]).all(), name
    out.write_header_to_file()
    out.write_kv_data_to_file()
    out.write_tensors_to_file()
    out.close()
    save_file(expected, FORMAT / "blocks.safetensors")


main()
