#include <cstring>

#include "text/template/objects.h"

namespace burnish::jinja {

std::string format_time(std::time_t time, const std::string& format) {
  std::tm utc{};
  if (gmtime_r(&time, &utc) == nullptr) fail("OverflowError", "the time is out of range");
  std::string result;
  for (size_t at = 0; at < format.size(); ++at) {
    if (format[at] != '%' || at + 1 == format.size()) {
      result += format[at];
      continue;
    }
    std::string directive = "%";
    while (++at < format.size() && std::strchr("-_^#:", format[at]) != nullptr)
      directive += format[at];
    if (at == format.size()) return result + directive;
    const char kind = format[at];
    if (kind >= '0' && kind <= '9') {
      fail("NotImplementedError", "strftime_now: a width in the format is not supported");
    }
    directive += kind;
    if (kind == 'f') {
      result += "000000";                     // the clock of a rendering counts whole seconds
    } else if (kind != 'z' && kind != 'Z') {  // it has no time zone
      char buffer[256];
      result.append(buffer, std::strftime(buffer, sizeof buffer, directive.c_str(), &utc));
    }
  }
  return result;
}

}  // namespace burnish::jinja
