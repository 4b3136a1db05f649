"""Writes tests/data/{format,declare}/*.gguf and what the Python programs read from them.

Needs the packages gguf, numpy, safetensors, torch and transformers. Run it from the root:

    python scripts/goldens/make_gguf.py

- format/quants.gguf: every tensor type that is read; quants.safetensors holds gguf.dequantize of each.
- format/metadata.gguf: every value type of the metadata.
- declare/llama.gguf: a small Llama as converters write one (q and k rows permuted), in mixed types;
  llama.safetensors holds the tensors that transformers makes of it.
- declare/llama3_rope.gguf: the table of rotary divisors as converters write it for Llama 3.1.
"""

import math
from pathlib import Path

import gguf
import numpy as np
import torch
from safetensors.numpy import save_file
from transformers import AutoModelForCausalLM

DATA = Path(__file__).parents[2] / "tests" / "data"
TYPES = gguf.GGMLQuantizationType
RANDOM = np.random.default_rng(7)


def writer(path):
    path.parent.mkdir(parents=True, exist_ok=True)
    return gguf.GGUFWriter(path, "llama")


def finish(out):
    out.write_header_to_file()
    out.write_kv_data_to_file()
    out.write_tensors_to_file()
    out.close()


def add(out, name, values, kind):
    values = np.ascontiguousarray(values, dtype=np.float32)
    out.add_tensor(name, gguf.quantize(values, kind), raw_dtype=kind)


def scrambled(rows, kind):
    """Blocks of random bytes: all quants, and scales of any size (no NaN or infinity)."""
    _, size = gguf.GGML_QUANT_SIZES[kind]
    blocks = RANDOM.integers(0, 256, (rows, 2, size), dtype=np.uint8)
    for high in (1, 3) if kind == TYPES.Q4_1 else (1,):
        blocks[..., high] &= 0xBB  # an exponent below 31
    return blocks.reshape(rows, 2 * size)


def make_quants():
    out = writer(DATA / "format" / "quants.gguf")
    values = RANDOM.standard_normal((3, 64)).astype(np.float32)
    values[0, :4] = [0.0, -0.0, 1e-6, -65504.0]
    for kind in (TYPES.F32, TYPES.F16, TYPES.BF16, TYPES.Q8_0, TYPES.Q4_0, TYPES.Q4_1):
        add(out, f"values.{kind.name}", values, kind)
        if kind in (TYPES.Q8_0, TYPES.Q4_0, TYPES.Q4_1):
            out.add_tensor(f"scrambled.{kind.name}", scrambled(3, kind), raw_dtype=kind)
    every = np.arange(0x10000, dtype=np.uint32).astype(np.uint16).view(np.float16)
    every = every[np.isfinite(every)][::16]
    out.add_tensor("every.F16", every)
    finish(out)
    reader = gguf.GGUFReader(DATA / "format" / "quants.gguf")
    save_file(
        {
            t.name: np.ascontiguousarray(
                gguf.dequantize(t.data, t.tensor_type).reshape(t.shape[::-1]), dtype=np.float32
            )
            for t in reader.tensors
        },
        DATA / "format" / "quants.safetensors",
    )


def make_metadata():
    out = writer(DATA / "format" / "metadata.gguf")
    out.add_uint8("u8", 255)
    out.add_int8("i8", -128)
    out.add_uint16("u16", 65535)
    out.add_int16("i16", -32768)
    out.add_uint32("u32", 4294967295)
    out.add_int32("i32", -2147483648)
    out.add_uint64("u64", 9223372036854775807)
    out.add_int64("i64", -9223372036854775808)
    out.add_float32("f32", 0.1)
    out.add_float64("f64", 0.1)
    out.add_bool("yes", True)
    out.add_bool("no", False)
    out.add_string("text", "Grüße \U0001F525\n")
    out.add_array("integers", [1, -2, 3])
    out.add_array("numbers", [0.5, -0.25])
    out.add_array("booleans", [True, False])
    out.add_array("texts", ["a", "", "ü"])
    out.add_custom_alignment(64)
    add(out, "one", [1.0], TYPES.F32)
    add(out, "two", [2.0, 3.0], TYPES.F32)
    finish(out)


def permuted(rows, heads):
    """The order that converters give the rows of q and k: neighbours instead of halves."""
    return rows.reshape(heads, 2, -1, *rows.shape[1:]).swapaxes(1, 2).reshape(rows.shape)


def add_llama_keys(out, base):
    out.add_context_length(128)
    out.add_embedding_length(32)
    out.add_block_count(1)
    out.add_feed_forward_length(64)
    out.add_head_count(4)
    out.add_head_count_kv(2)
    out.add_layer_norm_rms_eps(1e-5)
    out.add_rope_freq_base(base)
    out.add_rope_dimension_count(8)
    out.add_vocab_size(40)
    out.add_bos_token_id(1)
    out.add_eos_token_id(2)
    out.add_pad_token_id(3)


def make_llama():
    path = DATA / "declare" / "llama.gguf"
    out = writer(path)
    add_llama_keys(out, 500.0)
    random = lambda *shape: RANDOM.standard_normal(shape).astype(np.float32)
    add(out, "token_embd.weight", random(40, 32), TYPES.Q8_0)
    add(out, "output_norm.weight", random(32), TYPES.F32)
    add(out, "output.weight", random(40, 32), TYPES.F16)
    add(out, "blk.0.attn_norm.weight", random(32), TYPES.F32)
    add(out, "blk.0.attn_q.weight", permuted(random(32, 32), 4), TYPES.Q4_1)
    add(out, "blk.0.attn_k.weight", permuted(random(16, 32), 2), TYPES.BF16)
    add(out, "blk.0.attn_v.weight", random(16, 32), TYPES.Q4_0)
    add(out, "blk.0.attn_output.weight", random(32, 32), TYPES.Q4_0)
    add(out, "blk.0.ffn_norm.weight", random(32), TYPES.F32)
    add(out, "blk.0.ffn_gate.weight", random(64, 32), TYPES.Q8_0)
    add(out, "blk.0.ffn_up.weight", random(64, 32), TYPES.F32)
    add(out, "blk.0.ffn_down.weight", random(32, 64), TYPES.BF16)
    finish(out)
    model = AutoModelForCausalLM.from_pretrained(path.parent, gguf_file=path.name, dtype=torch.float32)
    tensors = {name: value.numpy() for name, value in model.state_dict().items()}
    save_file(tensors, DATA / "declare" / "llama.safetensors")


def rotary_divisors(base, dim, factor=8.0, low=1.0, high=4.0, original=8192):
    """As llama.cpp's converter for Llama 3.1, in its order of operations."""
    frequencies = 1.0 / (base ** (torch.arange(0, dim, 2, dtype=torch.float32) / dim))
    divisors = []
    for frequency in frequencies:
        wave = 2 * math.pi / frequency
        if wave < original / high:
            divisors.append(1)
        elif wave > original / low:
            divisors.append(factor)
        else:
            smooth = (original / wave - low) / (high - low)
            divisors.append(1 / ((1 - smooth) / factor + smooth))
    return np.array(divisors, dtype=np.float32)


def make_llama3_rope():
    out = writer(DATA / "declare" / "llama3_rope.gguf")
    add_llama_keys(out, 500000.0)
    out.add_key_length(64)
    out.add_value_length(64)
    out.kv_data[0]["llama.rope.dimension_count"].value = 64
    add(out, "token_embd.weight", np.zeros((40, 32)), TYPES.F16)
    add(out, "rope_freqs.weight", rotary_divisors(500000.0, 64), TYPES.F32)
    finish(out)


make_quants()
make_metadata()
make_llama()
make_llama3_rope()
