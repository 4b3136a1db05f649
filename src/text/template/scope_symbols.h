// What a scope knows of its names, and how they are collected from its body.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "text/template/ast.h"

namespace burnish::jinja {

struct Symbols;
/// For each name the published scopes that know it, the innermost last.
using Owners = std::map<std::string, std::vector<const Symbols*>>;

struct Symbols {
  /// What a name holds at the scope's entry: a parameter's value, what the rendering gives it, the
  /// outer variable, or nothing.
  enum class Load : uint8_t { parameter, resolve, alias, unset };

  Function& function;
  const uint16_t depth;  ///< functions around `function`
  std::map<std::string, Load> loads;
  std::set<std::string> stores;
  std::map<std::string, uint32_t> slots;

  Symbols(Owners& owners, Function& function, uint16_t depth)
      : function(function), depth(depth), owners_(owners) {}
  ~Symbols();
  Symbols(const Symbols&) = delete;
  Symbols& operator=(const Symbols&) = delete;

  /// The innermost published scope that knows the name; nullptr if there is none.
  const Symbols* owner(const std::string& name) const;
  void load(const std::string& name);
  /// What only a branch may store starts as the outer variable.
  void store(const std::string& name, bool in_branch);
  void declare_parameter(const std::string& name);
  /// From here on the scopes within find the names, until this one ends.
  void publish();

 private:
  Owners& owners_;
  bool published_ = false;
};

/// Collects the names of one scope, without entering the scopes within.
class Collector {
 public:
  explicit Collector(Symbols& symbols) : symbols_(symbols) {}

  void expression(Expr& expr);
  void target(const Target& target, bool as_parameter = false);
  void body(Body& body);

 private:
  void branches(If& node);
  void statement(Statement& statement);

  Symbols& symbols_;
  bool in_branch_ = false;
};

}  // namespace burnish::jinja
