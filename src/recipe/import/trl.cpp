#include "recipe/import/trl.h"

#include "recipe/import/data_file.h"
#include "recipe/import/source_value.h"
#include "recipe/import/trainer.h"

namespace burnish::foreign {
namespace {

/// One item of the list `datasets`.
std::vector<DataFile> files_of_item(const YamlNode& item) {
  const YamlNode* path = item.member("path");
  if (path == nullptr || path->kind == YamlNode::Kind::null) item.fail("lacks the key `path`");
  const std::string name = text_of(*path);
  const YamlNode* files = item.member("data_files");
  if (files != nullptr && files->kind != YamlNode::Kind::null)
    return data_files_of(*files, name, "");
  if (is_folder(name)) {
    const YamlNode* split = item.member("split");
    return {data_file_of_split(name, split == nullptr ? "train" : text_of(*split))};
  }
  return {data_file(name)};
}

void map_mixture(Translation& t, const YamlNode& datasets) {
  std::vector<DataFile> files;
  if (datasets.kind != YamlNode::Kind::sequence)
    datasets.fail("must be a list of data sets, not " + datasets.shown());
  for (const YamlNode& item : datasets.items) {
    if (item.kind != YamlNode::Kind::map) item.fail("must be a group of keys, not " + item.shown());
    for (DataFile& file : files_of_item(item)) files.push_back(std::move(file));
    const YamlNode* fraction = item.member("fraction");
    if (fraction != nullptr && fraction->kind != YamlNode::Kind::null && number_of(*fraction) != 1)
      t.refuse({fraction->path}, "a part of a source is not taken", "write a file of that part",
               "data.train");
  }
  t.idle({"dataset_name", "dataset_train_split"}, "datasets is given");
  put_train(t, files, "auto", {"datasets"});
  t.rest_of(datasets, "part of data.train");
}

}  // namespace

void map_trl_data(Translation& t) {
  if (const YamlNode* datasets = t.given("datasets");
      datasets != nullptr && !datasets->items.empty())
    return map_mixture(t, *datasets);
  const std::string name = t.word("dataset_name");
  if (name.empty())
    return t.refuse({"dataset_name"}, "no data is named", "write dataset_name: FILE.jsonl",
                    "data.train");
  const std::string train = t.word("dataset_train_split"), test = t.word("dataset_test_split");
  const bool folder = is_folder(name);
  if (folder) {
    put_train(t, {data_file_of_split(name, train)}, "auto",
              {"dataset_name", "dataset_train_split"});
    const DataFile held_out = data_file_of_split(name, test);
    if (!held_out.path.empty()) t.evaluation["test"] = held_out.path;
    return;
  }
  put_train(t, {data_file(name)}, "auto", {"dataset_name"});
  if (train == "train")
    t.idle({"dataset_train_split"}, "a file is one split");
  else
    t.refuse({"dataset_train_split"}, "a file has no split " + train, "write that split as a file",
             "data.train");
  t.idle({"dataset_test_split"}, "a file is one split");
}

void map_trl_targets(Translation& t) {
  const bool assistant = t.flag("assistant_only_loss");
  const bool completion =
      t.given("completion_only_loss") != nullptr && t.flag("completion_only_loss");
  const Keys keys = {"assistant_only_loss", "completion_only_loss"};
  if (assistant && completion)
    return t.refuse(keys, "the assistant's turns of the completion alone are no mask here",
                    "write one of them", "data.mask");
  if (assistant) {
    t.put("data.mask", "assistant", {"assistant_only_loss"});
    t.idle({"completion_only_loss"}, "assistant_only_loss decides");
  } else if (completion) {
    t.put("data.mask", "completion", {"completion_only_loss"},
          "rows are `messages` whose last turn is the completion");
    t.idle({"assistant_only_loss"}, "completion_only_loss decides");
  } else {
    t.put("data.mask", "all", keys, "the whole sequence, as for rows of `messages` and `text`");
  }
  t.put("data.content_tokens", "parsed", {});
}

void map_trl_rows(Translation& t) {
  const std::string_view limit = t.given("max_seq_length") ? "max_seq_length" : "max_length";
  if (t.is_null(limit))
    t.refuse({limit}, "rows without a limit are not there",
             "write the longest sample's number of tokens", "data.sequence_length");
  else
    t.put("data.sequence_length", t.whole(limit, 1, int64_t{1} << 40), {limit});
  const std::string strategy = t.word("packing_strategy");
  if (!t.flag("packing")) {
    t.put("data.packing", "none", {"packing"});
    t.put("data.overlong", "truncate", {"truncation_mode"});
    return t.idle({"packing_strategy"}, "packing is off");
  }
  t.idle({"truncation_mode"}, "packing_strategy says what happens to long samples");
  if (strategy == "wrapped") {
    t.put("data.packing", "stream", {"packing_strategy", "packing"},
          "samples of one row do not see each other here");
    return t.put("data.overlong", "split", {"packing_strategy", "packing"});
  }
  if (strategy != "bfd" && strategy != "bfd_split" && strategy != "bfd-requeue")
    return t.refuse({"packing_strategy"}, "TRL has no such strategy",
                    "write bfd, bfd_split or wrapped", "data.packing");
  t.put("data.packing", "best_fit", {"packing", "packing_strategy"}, "",
        "write packing_strategy: wrapped, or --set data.packing=stream");
  t.put("data.overlong", strategy == "bfd" ? "truncate" : "split", {"packing_strategy", "packing"});
}

void map_trl_template(Translation& t) {
  const std::string path = t.word("chat_template_path");
  if (path.empty()) return t.put("model.template", "default", {"chat_template_path"});
  if (path.ends_with(".jinja")) return t.put("model.template", path, {"chat_template_path"});
  t.refuse({"chat_template_path"}, "the template of another model is not taken by its name",
           "copy it into a file: --set model.template=FILE.jinja", "model.template");
}

void map_trl_precision(Translation& t) {
  const bool old_name = t.given("torch_dtype") != nullptr;
  const std::string dtype = old_name ? t.word("torch_dtype") : t.word("dtype");
  const bool fp16 = t.flag("fp16");
  const bool bf16 = t.given("bf16") != nullptr ? t.flag("bf16") : !fp16;
  const std::string weights = dtype.empty() ? "fp32" : precision_name(dtype);
  const Keys keys = {"bf16", "fp16", "dtype", "torch_dtype"};
  constexpr const char* kInstead = "write bf16: false, fp16: false and dtype: float32";
  if (weights.empty())
    return t.refuse({"dtype", "torch_dtype"}, "only the checkpoint tells what " + dtype + " is",
                    "write float32, bfloat16 or float16", "precision");
  std::string compute = bf16 ? "bf16" : fp16 ? "fp16" : "fp32";
  if (compute == "fp32" && !t.launcher_precision.empty()) compute = t.launcher_precision;
  put_precision(t, weights, compute, keys, kInstead);
}

void map_trl_adapter(Translation& t) {
  const Keys lora = {"lora_r",
                     "lora_alpha",
                     "lora_dropout",
                     "lora_target_modules",
                     "lora_target_parameters",
                     "lora_modules_to_save",
                     "lora_task_type",
                     "use_rslora",
                     "use_dora"};
  if (!t.flag("use_peft")) {
    t.idle({"use_peft"}, "all weights are trained");
    return t.idle(lora, "use_peft is off");
  }
  constexpr const char* kReason = "adapters are not there yet";
  constexpr const char* kInstead =
      "write use_peft: false to train all weights, or choose some with model.trainable";
  t.refuse({"use_peft"}, kReason, kInstead);
  for (const std::string_view key : lora)
    if (t.given(key) != nullptr) t.refuse({key}, kReason, kInstead);
}

}  // namespace burnish::foreign
