#include "text/template/token_stream.h"

namespace burnish::jinja {

bool is_constant_name(std::string_view name) {
  return name == "true" || name == "false" || name == "none" || name == "True" || name == "False" ||
         name == "None";
}

void TokenStream::fail(Position at, const std::string& what) const {
  throw syntax_error(name_, at, what);
}

bool TokenStream::skip_name(std::string_view name) {
  if (!peek().is_name(name)) return false;
  next();
  return true;
}

bool TokenStream::skip_symbol(std::string_view symbol) {
  if (!peek().is_symbol(symbol)) return false;
  next();
  return true;
}

const Token& TokenStream::expect_name() {
  if (peek().kind != TokenKind::name) {
    fail(peek().at, "expected token 'name', got '" + describe(peek()) + "'");
  }
  return next();
}

void TokenStream::expect_name(std::string_view name) {
  if (!skip_name(name)) {
    fail(peek().at, "expected token '" + std::string(name) + "', got '" + describe(peek()) + "'");
  }
}

void TokenStream::expect_symbol(std::string_view symbol) {
  if (!skip_symbol(symbol)) {
    fail(peek().at, "expected token '" + std::string(symbol) + "', got '" + describe(peek()) + "'");
  }
}

void TokenStream::expect(TokenKind kind, const char* description) {
  if (peek().kind != kind) {
    fail(peek().at,
         "expected token '" + std::string(description) + "', got '" + describe(peek()) + "'");
  }
  next();
}

}  // namespace burnish::jinja
