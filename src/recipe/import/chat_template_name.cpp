#include "recipe/import/chat_template_name.h"

#include <algorithm>
#include <array>

namespace burnish::foreign {

void put_named_template(Translation& t, const std::string& name, std::string_view key) {
  static constexpr std::array kGeneral = {"alpaca", "chatml_de", "default", "empty", "fewshot",
                                          "inst",   "metharme",  "vicuna",  "zephyr"};
  if (name == "chatml") return t.put("model.template", name, {key});
  const bool general =
      std::any_of(kGeneral.begin(), kGeneral.end(), [&](const char* one) { return name == one; });
  if (general)
    return t.refuse({key}, "the format " + name + " need not be the model's own",
                    "--set model.template=default for the model's own template, or =FILE.jinja",
                    "model.template");
  t.put("model.template", "default", {key},
        "the model's own template; `burnish data inspect` shows whether it writes the same");
}

}  // namespace burnish::foreign
