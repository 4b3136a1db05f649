// The one exception of Burnish: what is wrong, where, and what to do.
#pragma once

#include <exception>
#include <string>

namespace burnish {

/// The kind of a failure; it decides the exit code of the program.
enum class ErrorCode {
  usage,        ///< a wrong command line
  recipe,       ///< a recipe that cannot be run: key, type, value, impossible pair
  data,         ///< data that cannot be read or that leaves nothing to train on
  model,        ///< a checkpoint, tokenizer or template that is broken or unknown
  unsupported,  ///< well-formed, but not something this version can do
  io,           ///< the file system or the network: missing, no permission, full disk, no answer
  not_finite,   ///< a loss or gradient that stayed NaN or infinite
  spike,        ///< a loss or gradient far above those before, where the recipe says to stop
  memory,       ///< the machine's memory does not hold it
  interrupted,  ///< stopped by the user; the state was saved
  internal,     ///< a broken invariant: a bug
};

/// `what()` is "WHERE: WHAT. ADVICE", the parts that are empty left out.
class Error : public std::exception {
 public:
  /// @param what   the fact, with the offending value in it
  /// @param where  file:line:column, key, tensor or rank
  /// @param advice what the user can do
  Error(ErrorCode code, std::string what, std::string where = {}, std::string advice = {});

  const char* what() const noexcept override { return text_.c_str(); }
  ErrorCode code() const { return code_; }
  const std::string& fact() const { return fact_; }
  const std::string& where() const { return where_; }
  const std::string& advice() const { return advice_; }

 private:
  ErrorCode code_;
  std::string fact_, where_, advice_, text_;
};

/// The name of a code as it stands in JSON output, e.g. "recipe".
const char* name_of(ErrorCode code);

/// Process exit codes: usage 2, recipe 3, data 4, model 5, unsupported 6, io 7, not_finite 8, spike
/// 9, memory 10, internal 70 (EX_SOFTWARE), interrupted 130 (as a shell reports SIGINT).
int exit_code(ErrorCode code);

}  // namespace burnish
