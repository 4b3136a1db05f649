// From the data of a rendering to the values that a template sees.
#pragma once

#include "text/template/runtime.h"
#include "text/template/template.h"

namespace burnish::jinja {

/// The variable `name`, missing if the input has none. Texts are views of the input's own.
Value input_variable(Runtime& runtime, const RenderInput& input, const std::string& name);

}  // namespace burnish::jinja
