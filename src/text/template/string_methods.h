// The methods of str by family; string_methods() (access.h) has them all.
#pragma once

#include "text/template/access.h"

namespace burnish::jinja {

std::span<const Method> string_search_methods();
std::span<const Method> string_predicate_methods();

}  // namespace burnish::jinja
