#include "text/template/token.h"

namespace burnish::jinja {

std::string describe(const Token& token) {
  switch (token.kind) {
    case TokenKind::data:
      return "template data / text";
    case TokenKind::block_begin:
      return "begin of statement block";
    case TokenKind::block_end:
      return "end of statement block";
    case TokenKind::variable_begin:
      return "begin of print statement";
    case TokenKind::variable_end:
      return "end of print statement";
    case TokenKind::end:
      return "end of template";
    case TokenKind::string:
      return "string";
    case TokenKind::integer:
      return "integer";
    case TokenKind::real:
      return "float";
    default:
      return token.text;
  }
}

Error syntax_error(const std::string& name, Position at, const std::string& what) {
  return {ErrorCode::model, what,
          name + ":" + std::to_string(at.line) + ":" + std::to_string(at.column),
          "mend the chat template, or choose another"};
}

}  // namespace burnish::jinja
