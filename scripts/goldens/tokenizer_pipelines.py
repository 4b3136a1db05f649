"""Writes tests/data/text/tokenizer_pipelines.json: ids and byte offsets of odd texts through many pipelines over two small
vocabularies. Run: python tokenizer_pipelines.py TOK_BPE.json TOK_SPM.json OUT.json   (tokenizers 0.23.3)"""
import copy
import json
import random
import sys

from tokenizers import Tokenizer

RANDOM = random.Random(20240607)
QWEN35 = (r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+|\p{N}| ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*|"
          r"\s*[\r\n]+|\s+(?!\S)|\s+")
LLAMA3 = (r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|"
          r"\s*[\r\n]+|\s+(?!\S)|\s+")
TEXTS = [
    "", " ", "  \n \t ", "Hello, the world's END\r\n\r\n  it'LL do", "don't 'S 'ſ \u212a", "12345 6 ٣٤ ½①",
    "e\u0301te\u0323\u0301 \u0344 \u1100\u1161\u11a8 \uac00\u11a8 \u0928\u093c", "नमस्ते ไทย 你好，世界", "🤗👩‍👩‍👧 🇳🇱👍🏽",
    "a\x85b\xa0c\u180ed\u2028e\u3000f\u200bg", "<|im_start|>user\nhi <think> x</think><|im_end|>\n", "<|im_start|", "\x00\x01\x04\x7f",
    "a" * 100, " " * 60 + "x", "the " * 30, "\U00031350\U00013ead \U00011f50\U0001d2c5", "ﬁ ① Å ǆ ㎏ Ǆ İI", "x\ufffdy\uffff",
    "  leading", "trailing  ", "mixed\n\n\nlines\n  \n", "<s> hello</s> <unk>▁x", "éa", "abc-def--ghi", "\U0010ffff\U000e0041",
]
BLOCKS = [(0x20, 0x7E), (0xA0, 0x24F), (0x300, 0x36F), (0x370, 0x4FF), (0x590, 0x6FF), (0x900, 0x9FF), (0xE00, 0xE7F), (0x1100, 0x11FF),
          (0x1E00, 0x206F), (0x2460, 0x24FF), (0x3000, 0x30FF), (0x4E00, 0x4E60), (0xAC00, 0xAC60), (0xF900, 0xF960), (0xFB00, 0xFDFF),
          (0xFF00, 0xFFEF), (0x1D400, 0x1D4FF), (0x1F300, 0x1F64F), (0, 0x1F), (0x10000, 0x10FFFF)]


def random_text():
    parts = []
    for _ in range(RANDOM.randint(1, 6)):
        low, high = RANDOM.choice(BLOCKS)
        parts.append("".join(chr(RANDOM.randint(low, high)) for _ in range(RANDOM.randint(1, 5))))
        parts.append(RANDOM.choice(["", " ", "\n", "the", "'s", "<|im_end|>", "<think>", "12", "</s>"]))
    return "".join(parts)


def byte_level(prefix, trim, regex):
    return {"type": "ByteLevel", "add_prefix_space": prefix, "trim_offsets": trim, "use_regex": regex}


def split(pattern, behavior="Isolated", invert=False):
    return {"type": "Split", "pattern": pattern, "behavior": behavior, "invert": invert}


def sequence(kind, *members):
    return {"type": "Sequence", kind: list(members)}


def template(token, token_id):
    return {"type": "TemplateProcessing", "single": [{"SpecialToken": {"id": token, "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}],
            "pair": [{"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 1}}],
            "special_tokens": {token: {"id": token, "ids": [token_id], "tokens": [token]}}}


def metaspace(scheme, cut):
    return {"type": "Metaspace", "replacement": "▁", "prepend_scheme": scheme, "split": cut}


def pipelines():
    """name, vocabulary, changes of the top level, changes of the model"""
    bos = template("<|endoftext|>", 626)
    last = byte_level(False, False, False)
    yield "qwen35", "bpe", {"pre_tokenizer": sequence("pretokenizers", split({"Regex": QWEN35}), last), "post_processor": last}, {}
    yield "llama3", "bpe", {"normalizer": None, "pre_tokenizer": sequence("pretokenizers", split({"Regex": LLAMA3}), last),
                            "post_processor": sequence("processors", byte_level(True, False, True), bos)}, {"ignore_merges": True}
    yield "smollm", "bpe", {"normalizer": None, "pre_tokenizer": sequence("pretokenizers", {"type": "Digits", "individual_digits": True},
                                                                          byte_level(False, True, True))}, {}
    yield "gpt2_trim", "bpe", {"normalizer": None, "pre_tokenizer": byte_level(True, True, True), "post_processor": byte_level(True, True, True)}, {}
    yield "gpt2_keep_prefix", "bpe", {"normalizer": None, "pre_tokenizer": byte_level(False, True, True), "post_processor": byte_level(False, True, True)}, {}
    yield "bytes_first", "bpe", {"pre_tokenizer": sequence("pretokenizers", last, split({"String": "Ġ"}, "MergedWithNext"))}, {}
    for behavior in ["Removed", "MergedWithPrevious", "MergedWithNext", "Contiguous"]:
        for invert in [False, True]:
            yield f"split_{behavior}_{invert}", "bpe", {"pre_tokenizer": sequence("pretokenizers", split({"Regex": r"[\s\-]|\p{L}\p{M}*"}, behavior, invert), last)}, {}
    yield "digits_together", "bpe", {"pre_tokenizer": sequence("pretokenizers", {"type": "Digits", "individual_digits": False}, last)}, {}
    for form in ["NFD", "NFKC", "NFKD"]:
        yield form.lower(), "bpe", {"normalizer": {"type": form}}, {}
    yield "lowercase", "bpe", {"normalizer": sequence("normalizers", {"type": "Lowercase"}, {"type": "Replace", "pattern": {"Regex": r"\s+"}, "content": " "})}, {}
    yield "spm", "spm", {}, {}
    yield "spm_no_bytes", "spm", {}, {"byte_fallback": False}
    yield "spm_single_unk", "spm", {}, {"byte_fallback": False, "fuse_unk": False}
    yield "spm_dropped", "spm", {}, {"byte_fallback": False, "unk_token": None}
    for scheme, cut in [("always", True), ("first", False), ("never", True), ("first", True)]:
        yield f"metaspace_{scheme}_{cut}", "spm", {"normalizer": None, "pre_tokenizer": metaspace(scheme, cut), "decoder": metaspace(scheme, cut)}, {}


def byte_offsets(text, offsets):
    begins = [0]
    for character in text:
        begins.append(begins[-1] + len(character.encode()))
    return [number for begin, end in offsets for number in (begins[begin], begins[end])]


def main():
    bases = {"bpe": json.load(open(sys.argv[1], encoding="utf-8")), "spm": json.load(open(sys.argv[2], encoding="utf-8"))}
    cases = []
    for name, base, changes, model in pipelines():
        document = copy.deepcopy(bases[base])
        document.update(changes)
        document["model"].update(model)
        tokenizer = Tokenizer.from_str(json.dumps(document))
        samples = []
        for text in TEXTS + [random_text() for _ in range(12)]:
            encoding = tokenizer.encode(text, add_special_tokens=True)
            samples.append({"text": text, "ids": encoding.ids, "offsets": byte_offsets(text, encoding.offsets),
                            "decoded": tokenizer.decode(encoding.ids, skip_special_tokens=False)})
        cases.append({"name": name, "base": base, "changes": changes, "model": model, "samples": samples})
    with open(sys.argv[3], "w", encoding="utf-8") as out:
        out.write("[\n" + ",\n".join(json.dumps(case, ensure_ascii=False, separators=(",", ":")) for case in cases) + "\n]\n")


if __name__ == "__main__":
    main()
