#include "recipe/import/detect.h"

#include <algorithm>

#include "base/error.h"
#include "recipe/nearest_key.h"

namespace burnish::foreign {
namespace {

constexpr const char* kSayWhich =
    "say which it is: --format trl, axolotl, llama-factory or accelerate";

bool knows(const Format& format, const std::string& key) {
  return format.row(key) != nullptr || format.has_below(key);
}

/// The formats that know this outermost key.
std::vector<const Format*> that_know(const std::string& key) {
  std::vector<const Format*> found;
  for (const Format* format : all_formats())
    if (knows(*format, key)) found.push_back(format);
  return found;
}

const Format& named(const std::string& name) {
  std::vector<std::string> names;
  for (const Format* format : all_formats()) {
    if (format->name == name) return *format;
    names.emplace_back(format->name);
  }
  const auto near = nearest(name, names);
  throw Error(ErrorCode::usage, "there is no format `" + name + "`", "--format",
              near ? "did you mean `" + *near + "`?" : kSayWhich);
}

}  // namespace

const Format& format_of(const YamlNode& root, const std::string& name) {
  if (!name.empty()) return named(name);
  std::vector<const Format*> telling;
  std::string signs;
  bool any_known = false;
  for (const YamlNode& item : root.items) {
    const std::vector<const Format*> known = that_know(item.key);
    any_known = any_known || !known.empty();
    if (known.size() != 1) continue;
    if (std::find(telling.begin(), telling.end(), known[0]) != telling.end()) continue;
    telling.push_back(known[0]);
    signs +=
        (signs.empty() ? "`" : ", `") + item.key + "` is a key of " + std::string(known[0]->title);
  }
  if (telling.size() == 1) return *telling[0];
  const std::string fact = !telling.empty() ? "could be for several trainers: " + signs
                           : any_known
                               ? "could be for several trainers: no key tells them apart"
                               : "has no key that TRL, axolotl, LLaMA-Factory or accelerate knows";
  throw Error(ErrorCode::recipe, "the file " + fact, root.place, kSayWhich);
}

}  // namespace burnish::foreign
