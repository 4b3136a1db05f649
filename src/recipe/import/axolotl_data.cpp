// axolotl's list of data sets: where the rows are, how they look, and what is trained on.
#include <algorithm>

#include "recipe/import/axolotl.h"
#include "recipe/import/data_file.h"
#include "recipe/import/source_value.h"
#include "recipe/import/trainer.h"

namespace burnish::foreign {
namespace {

/// The text of a member, or the default.
std::string text_in(const YamlNode& item, const char* key, const std::string& fallback) {
  const YamlNode* node = item.member(key);
  return node == nullptr || node->kind == YamlNode::Kind::null ? fallback : text_of(*node);
}

const YamlNode* member(const YamlNode& item, const char* key) {
  const YamlNode* node = item.member(key);
  return node == nullptr || node->kind == YamlNode::Kind::null ? nullptr : node;
}

std::vector<DataFile> files_of(const YamlNode& item) {
  const std::string path = text_in(item, "path", "");
  if (path.empty()) item.fail("lacks the key `path`");
  if (const YamlNode* files = member(item, "data_files"))
    return data_files_of(*files, path, text_in(item, "revision", ""));
  if (is_folder(path)) return {data_file_of_split(path, text_in(item, "split", "train"))};
  return {data_file(path)};
}

/// "messages" or "text", or empty: refused.
std::string format_of_rows(Translation& t, const YamlNode& item) {
  const YamlNode* given = member(item, "type");
  const bool own = given != nullptr && given->kind != YamlNode::Kind::scalar;
  const std::string type = own ? "of one's own" : text_in(item, "type", "");
  if (type == "completion" || type == "pretrain") {
    const std::string field = text_in(item, "field", "text");
    if (field == "text") return "text";
    t.refuse({item.path + ".field"}, "rows of plain text have the key `text`",
             "rename " + field + " in the file", "data.train");
    return {};
  }
  if (type == "chat_template") return "messages";
  t.refuse({item.path + ".type"},
           "rows of the type " + (type.empty() ? "(none)" : type) + " are not read",
           "write them as `messages`, and type: chat_template", "data.train");
  return {};
}

/// Fields must have the names that rows have here.
void check_fields(Translation& t, const YamlNode& item) {
  const auto must_be = [&](const YamlNode* node, const std::string& name) {
    if (node == nullptr || text_of(*node) == name) return;
    t.refuse({node->path}, "rows have `" + name + "`, not `" + text_of(*node) + "`",
             "rename the field in the file", "data.train");
  };
  must_be(member(item, "field_messages"), "messages");
  must_be(member(item, "message_field_role"), "role");
  must_be(member(item, "message_field_content"), "content");
  must_be(member(item, "field_tools"), "tools");
  if (const YamlNode* mapping = member(item, "message_property_mappings"))
    for (const YamlNode& property : mapping->items)
      if (text_of(property) != property.key)
        t.refuse({mapping->path},
                 "messages have `" + property.key + "`, not `" + text_of(property) + "`",
                 "rename the field in the file", "data.train");
  if (const YamlNode* roles = member(item, "roles"))
    for (const YamlNode& role : roles->items) {
      const bool own =
          role.kind == YamlNode::Kind::sequence &&
          std::any_of(role.items.begin(), role.items.end(),
                      [&](const YamlNode& alias) { return text_of(alias) == role.key; });
      if (!own)
        t.refuse({roles->path}, "the role " + role.key + " has another name in the rows",
                 "rename it in the file", "data.train");
    }
}

void check_revision(Translation& t, const YamlNode& item, const std::vector<DataFile>& files) {
  const YamlNode* revision = member(item, "revision");
  const bool remote = std::any_of(files.begin(), files.end(), [](const DataFile& file) {
    return file.path.starts_with("hf://");
  });
  if (revision != nullptr && !remote)
    t.refuse({revision->path}, "a local file has no revisions", "leave it out", "data.train");
}

/// The mask of one data set of messages; empty: refused.
std::string mask_of(Translation& t, const YamlNode& item) {
  for (const char* key : {"train_on_eos", "train_on_eot"}) {
    const YamlNode* node = member(item, key);
    if (node == nullptr || text_of(*node) == "turn") continue;
    t.refuse({node->path}, "each trained turn's end is trained on, and no other", "write turn",
             "data.mask");
  }
  if (t.flag("train_on_inputs")) return "all";
  const YamlNode* roles = member(item, "roles_to_train");
  if (roles == nullptr) return "assistant";
  const bool assistant =
      roles->kind == YamlNode::Kind::sequence && roles->items.size() == 1 &&
      (text_of(roles->items[0]) == "assistant" || text_of(roles->items[0]) == "gpt");
  if (assistant) return "assistant";
  t.refuse({roles->path}, "the assistant's turns are trained on",
           "write [assistant], or train_on_inputs: true for every token", "data.mask");
  return {};
}

struct Sources {
  Json list = Json::array();
  std::string mask;
  bool refused = false;
};

Sources read_sources(Translation& t, const YamlNode& datasets) {
  Sources sources;
  if (datasets.kind != YamlNode::Kind::sequence)
    datasets.fail("must be a list of data sets, not " + datasets.shown());
  for (const YamlNode& item : datasets.items) {
    if (item.kind != YamlNode::Kind::map) item.fail("must be a group of keys, not " + item.shown());
    const std::string format = format_of_rows(t, item);
    if (format == "messages") check_fields(t, item);
    const std::string mask = format == "messages" ? mask_of(t, item) : "";
    if (!mask.empty() && !sources.mask.empty() && mask != sources.mask)
      t.refuse({item.path + ".roles_to_train"}, "all data sets have one mask", "write the same",
               "data.mask");
    if (!mask.empty()) sources.mask = mask;
    const std::vector<DataFile> files = files_of(item);
    check_revision(t, item, files);
    for (const DataFile& file : files) {
      if (file.path.empty()) {
        sources.refused = true;
        const bool listed = member(item, "data_files") != nullptr;
        t.refuse({item.path + (listed ? ".data_files" : ".path")}, file.reason, file.instead,
                 "data.train");
        continue;
      }
      sources.list.push_back(source_json(file.path, format.empty() ? "auto" : format));
    }
  }
  return sources;
}

}  // namespace

void map_axolotl_data(Translation& t) {
  const YamlNode* train = t.given("datasets");
  if (train == nullptr)
    return t.refuse({"datasets"}, "no data is named", "write a list of data sets", "data.train");
  const Sources sources = read_sources(t, *train);
  if (sources.refused)
    t.refuse({"datasets"}, "see its items", "name the data: --set data.train=FILE.jsonl",
             "data.train");
  else
    t.put("data.train", sources.list, {"datasets"});
  t.rest_of(*train, "part of data.train");
  t.put("data.mask", sources.mask.empty() ? "assistant" : sources.mask, {"train_on_inputs"});
  t.put("data.content_tokens", "parsed", {});
  if (const YamlNode* tests = t.given("test_datasets")) {
    int number = 0;
    for (const Json& source : read_sources(t, *tests).list)
      t.evaluation["test_" + std::to_string(++number)] = source;
    t.idle({"test_datasets"}, "evaluated as eval_strategy and eval_steps say");
    t.rest_of(*tests, "part of data.evaluation");
  }
}

}  // namespace burnish::foreign
