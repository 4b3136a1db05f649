// The tables of keys against the trainers' own lists (scripts/goldens/import_keys.py).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "base/error.h"
#include "base/file.h"
#include "recipe/import/rule.h"
#include "recipe/import/source_value.h"
#include "recipe/import_helper.h"

namespace burnish {
namespace {
using nlohmann::json;

/// A default of the golden as the value of a key.
YamlNode node_of(const json& value) {
  YamlNode node;
  if (value.is_null()) return node;
  if (value.is_object() || value.is_array()) {
    node.kind = value.is_array() ? YamlNode::Kind::sequence : YamlNode::Kind::map;
    return node;
  }
  node.kind = YamlNode::Kind::scalar;
  node.text = value.is_string() ? value.get<std::string>() : value.dump();
  return node;
}

void expect_known(const foreign::Format& format, const std::string& key, const json& fallback) {
  const foreign::KeyRow* row = format.row(key);
  if (row == nullptr) {
    EXPECT_TRUE(format.has_below(key)) << format.title << " does not know " << key;
    return;
  }
  if (fallback == "<required>") return;
  if (fallback.is_null()) {
    EXPECT_EQ(row->fallback, "null") << key;
  } else {
    EXPECT_TRUE(foreign::is_neutral(node_of(fallback), row->fallback))
        << key << ": " << fallback << " is not " << row->fallback;
  }
}

json golden() {
  return json::parse(read_text_file(BURNISH_TEST_DATA "/recipe/import/keys.json"));
}

TEST(ImportKeys, OfTrlAreAllKnownWithTheirDefaults) {
  size_t count = 0;
  const json keys = golden().at("trl");
  for (const auto& [group, fields] : keys.items())
    for (const auto& [key, fallback] : fields.items()) {
      expect_known(foreign::trl_format(), key, fallback);
      ++count;
    }
  EXPECT_GT(count, 150U);
}

TEST(ImportKeys, OfAccelerateAreAllKnownWithTheirDefaults) {
  const json keys = golden().at("accelerate");
  for (const auto& [key, fallback] : keys.at("ClusterConfig").items())
    expect_known(foreign::accelerate_format(), key, fallback);
  for (const auto& [option, fallback] : keys.at("launch").items())
    for (const std::string group : {"fsdp", "parallelism_config"})
      if (option.rfind(group + "_", 0) == 0)
        expect_known(foreign::accelerate_format(),
                     (group == "fsdp" ? "fsdp_config." : "parallelism_config.") + option, fallback);
}

TEST(ImportKeys, StandOnceInATable) {
  for (const foreign::Format* format : foreign::all_formats()) {
    std::set<std::string_view> seen;
    for (const foreign::KeyRow& row : format->rows)
      EXPECT_TRUE(seen.insert(row.key).second) << format->title << ": " << row.key;
  }
}

/// The keys of a format that `take` gives a value, as one file; keys of lists are left to the tests
/// of their format.
std::string file_of(const foreign::Format& format,
                    const std::function<std::string(const foreign::KeyRow&)>& take) {
  std::map<std::string, std::string> groups;
  for (const foreign::KeyRow& row : format.rows) {
    const std::string key(row.key), value = take(row);
    if (value.empty() || key.find('[') != std::string::npos) continue;
    const size_t dot = key.find('.');
    const std::string group = dot == std::string::npos ? "" : key.substr(0, dot);
    groups[group] += (group.empty() ? "" : "  " + key.substr(dot + 1)) +
                     (group.empty() ? key : "") + ": " + value + "\n";
  }
  std::string text;
  for (const auto& [group, lines] : groups) text += (group.empty() ? "" : group + ":\n") + lines;
  return text;
}

ImportOptions forced(const foreign::Format& format) {
  ImportOptions options;
  options.format = format.name;
  options.skip_refused = true;
  options.overrides = {{"model.source", "m"},
                       {"data.train", "a.jsonl"},
                       {"train.end.steps", "1"},
                       {"optimizer.learning_rate", "1"}};
  return options;
}

TEST(ImportKeys, EachIsNamedInTheOutcome) {
  for (const foreign::Format* format : foreign::all_formats()) {
    const std::string file = file_of(*format, [](const foreign::KeyRow& row) {
      return row.key == "learning_rate" ? std::string("1") : std::string(row.fallback);
    });
    const ImportedRecipe imported = testing_tools::import_text(file, forced(*format));
    for (const foreign::KeyRow& row : format->rows) {
      if (row.key.find('[') != std::string_view::npos) continue;
      EXPECT_EQ(testing_tools::outcome_of(imported, std::string(row.key)).key, row.key)
          << format->title;
    }
  }
}

TEST(ImportKeys, ThatAreLackingAreRefusedForAnyOtherValue) {
  for (const foreign::Format* format : foreign::all_formats()) {
    const auto lacking = [](const foreign::KeyRow& row) {
      const bool own = row.rule.kind == foreign::Rule::Kind::lacking ||
                       row.rule.kind == foreign::Rule::Kind::aside;
      return own ? std::string("something_else") : std::string();
    };
    const std::string rate = format->row("learning_rate") == nullptr ? "" : "learning_rate: 1\n";
    const ImportedRecipe imported =
        testing_tools::import_text(file_of(*format, lacking) + rate, forced(*format));
    for (const foreign::KeyRow& row : format->rows) {
      EXPECT_EQ(row.rule.map == nullptr, !row.rule.reason.empty()) << row.key;
      if (lacking(row).empty() || row.key.find('[') != std::string_view::npos) continue;
      const bool aside = row.rule.kind == foreign::Rule::Kind::aside;
      EXPECT_EQ(testing_tools::refusal_of(imported, std::string(row.key)),
                (aside ? "aside: " : "") + std::string(row.rule.reason) + "; " +
                    std::string(row.rule.instead));
    }
  }
}

/// Values of any kind end in an outcome or an Error.
TEST(ImportKeys, SurviveAnyValue) {
  const std::vector<std::string> values = {
      "-1",   "1e400",   "[]", "[a, {b: [c]}]", "{a: {b: 1}}", "\"a\\0b\"", std::string(5000, 'x'),
      "auto", "'{a: [1'"};
  int refused = 0;
  for (const foreign::Format* format : foreign::all_formats())
    for (const foreign::KeyRow& row : format->rows) {
      if (row.rule.map == nullptr || row.key.find('[') != std::string_view::npos) continue;
      for (const std::string& value : values) {
        const std::string file = file_of(*format, [&](const foreign::KeyRow& other) {
          return other.key == row.key ? value : std::string();
        });
        ImportOptions options = forced(*format);
        if (value.size() % 2 == 0) options.overrides.clear();
        try {
          testing_tools::import_text(file, options);
        } catch (const Error& error) {
          EXPECT_NE(error.code(), ErrorCode::internal) << error.what();
          EXPECT_FALSE(error.where().empty()) << error.what();
          ++refused;
        }
      }
    }
  EXPECT_GT(refused, 100);
}

}  // namespace
}  // namespace burnish
