"""Writes fuzz/corpus/{safetensors,gguf}: small valid files from which the fuzzers start.

Needs the packages gguf, numpy and safetensors. Run it from the root:

    python scripts/goldens/make_fuzz_corpus.py
"""

from pathlib import Path

import gguf
import numpy as np
from safetensors.numpy import save_file

CORPUS = Path(__file__).parents[2] / "fuzz" / "corpus"


def save(name, tensors, metadata=None):
    folder = CORPUS / "safetensors"
    folder.mkdir(parents=True, exist_ok=True)
    save_file(tensors, folder / name, metadata)
    (folder / name).chmod(0o644)


def writer(name, architecture="llama"):
    folder = CORPUS / "gguf"
    folder.mkdir(parents=True, exist_ok=True)
    return gguf.GGUFWriter(folder / name, architecture)


def finish(out):
    out.write_header_to_file()
    out.write_kv_data_to_file()
    out.write_tensors_to_file()
    out.close()


save("empty", {})
save("one", {"a": np.zeros((2, 3), dtype=np.float32)}, {"format": "pt"})
save("kinds", {kind: np.ones(3, dtype=kind) for kind in ("int8", "float16", "int64", "bool")})
save("no_elements", {"a": np.zeros((0, 3), dtype=np.float32), "b": np.zeros((), dtype=np.int32)})

out = writer("keys")
out.add_uint8("a", 1)
out.add_int64("b", -1)
out.add_float32("c", 0.5)
out.add_bool("d", True)
out.add_string("e", "text")
out.add_array("f", [1, 2, 3])
out.add_array("g", ["x", "yz"])
finish(out)

out = writer("tensors")
out.add_custom_alignment(16)
for kind in ("F32", "F16", "BF16", "Q8_0", "Q4_0", "Q4_1"):
    number = gguf.GGMLQuantizationType[kind]
    out.add_tensor(kind, gguf.quantize(np.ones((2, 32), dtype=np.float32), number), raw_dtype=number)
finish(out)

out = writer("blocks")
for kind in ("Q5_0", "Q5_1", "IQ4_NL", "IQ4_XS", "Q2_K", "Q3_K", "Q4_K", "Q5_K", "Q6_K"):
    number = gguf.GGMLQuantizationType[kind]
    size = gguf.GGML_QUANT_SIZES[number][1]
    out.add_tensor(kind, np.full((1, size), 60, dtype=np.uint8), raw_dtype=number)
finish(out)

out = writer("vocabulary", "qwen3")
out.add_context_length(16)
out.add_tokenizer_model("gpt2")
out.add_tokenizer_pre("qwen2")
out.add_token_list(["a", "b", "ab", "<|end|>"])
out.add_token_types([1, 1, 1, 3])
out.add_token_merges(["a b"])
out.add_eos_token_id(3)
out.add_chat_template("{% for m in messages %}{{ m.content }}<|end|>{% endfor %}")
finish(out)

out = writer("model")
out.add_context_length(16)
out.add_embedding_length(8)
out.add_block_count(1)
out.add_feed_forward_length(8)
out.add_head_count(2)
out.add_layer_norm_rms_eps(1e-5)
out.add_rope_freq_base(10000.0)
out.add_rope_dimension_count(4)
out.add_tensor("token_embd.weight", np.zeros((4, 8), dtype=np.float16))
out.add_tensor("rope_freqs.weight", np.ones(2, dtype=np.float32))
finish(out)
