// A token of a template and where it stands.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"

namespace burnish::jinja {

struct Position {
  uint32_t line = 1, column = 1;
};

enum class TokenKind : uint8_t {
  data,
  block_begin,
  block_end,
  variable_begin,
  variable_end,
  name,
  string,
  integer,
  real,
  symbol,  ///< an operator or bracket
  end,
};

struct Token {
  TokenKind kind = TokenKind::end;
  Position at;
  std::string text;  ///< names and symbols as written; strings and data unescaped; digits without _
  int64_t integer = 0;
  double real = 0;

  bool is(TokenKind wanted, std::string_view wanted_text) const {
    return kind == wanted && text == wanted_text;
  }
  bool is_name(std::string_view wanted) const { return is(TokenKind::name, wanted); }
  bool is_symbol(std::string_view wanted) const { return is(TokenKind::symbol, wanted); }
};

/// The token as an error message names it.
std::string describe(const Token& token);

/// Error(model) at NAME:line:column.
Error syntax_error(const std::string& name, Position at, const std::string& what);

}  // namespace burnish::jinja
