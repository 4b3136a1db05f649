"""Goldens of the chat templates: what transformers' own jinja environment renders.

    python scripts/goldens/make_templates.py

needs transformers 5.24 and jinja2 3.1.6; reads tests/data/text/template/{templates/*.jinja,
conversations.json, expressions.json} and writes expected_templates.json, expected_expressions.json.
"""
import datetime
import json
import pathlib

import transformers.utils.chat_template_utils as chat

FOLDER = pathlib.Path(__file__).parents[2] / "tests/data/text/template"
SPECIAL = {"bos_token": "<s>", "eos_token": "</s>", "pad_token": "<pad>"}


class FixedTime(datetime.datetime):
    @classmethod
    def now(cls, tz=None):
        return cls(2025, 1, 2)


chat.datetime = FixedTime


def write(name, value):
    text = json.dumps(value, ensure_ascii=False, indent=1)
    (FOLDER / name).write_text(text + "\n", encoding="utf-8")


def render(source, case):
    try:
        texts, spans = chat.render_jinja_template(
            conversations=[chat._normalize_chat_messages(case["messages"])],
            tools=case.get("tools"),
            documents=case.get("documents"),
            chat_template=source,
            add_generation_prompt=case.get("add_generation_prompt", False),
            return_assistant_tokens_mask="generation" in source,
            **{**SPECIAL, **case.get("extra", {})},
        )
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"}
    result = {"text": texts[0]}
    if spans:
        result["generated"] = [texts[0][a:b] for a, b in spans[0] if b > a]
    return result


def evaluate(source, context):
    try:
        return {"text": chat._compile_jinja_template(source).render(**context)}
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"}


def main():
    cases = json.loads((FOLDER / "conversations.json").read_text(encoding="utf-8"))
    templates = sorted((FOLDER / "templates").glob("*.jinja"))
    write("expected_templates.json", {
        path.name: {name: render(path.read_text(encoding="utf-8"), case) for name, case in cases.items()}
        for path in templates
    })
    expressions = json.loads((FOLDER / "expressions.json").read_text(encoding="utf-8"))
    write("expected_expressions.json",
          [evaluate(source, expressions["context"]) for source in expressions["templates"]])


if __name__ == "__main__":
    main()
