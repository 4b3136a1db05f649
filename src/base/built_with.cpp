#include "base/built_with.h"

#include <algorithm>
#include <sstream>

namespace burnish {

std::map<std::string, std::string> built_with() {
  std::map<std::string, std::string> versions;
  std::istringstream lines(BURNISH_BUILT_WITH);
  for (std::string name, version; lines >> name && std::getline(lines >> std::ws, version);)
    versions.emplace(name, version);
  return versions;
}

std::string built_with_text() {
  const auto versions = built_with();
  std::string text = "burnish " + versions.at("burnish");
  for (const auto& [name, version] : versions)
    if (name != "burnish")
      text.append("\n  ").append(name).append(16 - name.size(), ' ').append(version);
  return text;
}

}  // namespace burnish
