// Which of the names that a loop or macro provides its body asks for.
#pragma once

#include "text/template/ast.h"

namespace burnish::jinja {

/// Marks the loops whose body reads `loop`, and the macros whose body reads `caller`, `varargs` or
/// `kwargs`, before it stores them; the scopes within a body count too.
void mark_uses(Body& body);

}  // namespace burnish::jinja
