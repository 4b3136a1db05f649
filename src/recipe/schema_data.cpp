#include "base/date.h"
#include "base/error.h"
#include "hub/remote_data.h"
#include "recipe/schema.h"

namespace burnish {
namespace {

/// A path, or a file of a data set on the hub.
Codec<std::string> path_of_data() {
  Codec<std::string> codec = text("a path");
  codec.read = [plain = codec.read](const YamlNode& node) {
    std::string path = plain(node);
    if (is_remote_data(path)) {
      try {
        parse_remote_data(path);
      } catch (const Error& error) {
        node.fail(error.fact(), error.advice());
      }
    } else if (path.find("://") != std::string::npos) {
      refuse_as_absent(node, "local .jsonl files and hf://datasets/ORG/NAME/FILE.jsonl");
    }
    return path;
  };
  return codec;
}

/// A source is a group of keys, or just its path.
Codec<DataSource> source_codec() {
  using S = DataSource;
  Codec<S> codec = group<S>({
      required(
          field("source", &S::source, path_of_data(),
                "A .jsonl or .parquet file, or one of a data set on the hub, read as a stream: "
                "hf://datasets/ORG/NAME@REVISION/FILE.jsonl.")),
      field("format", &S::format, choice({"auto", "messages", "text"}),
            "What a line holds. `auto`: decided by the first one."),
      field("split", &S::split, only<std::string>("train", text("the name of a split")),
            "The split of a data set on the hub."),
      field("weight", &S::weight, only<double>(1.0, number({.low = 0, .low_open = true})),
            "The share of this source among several."),
  });
  codec.read = [as_group = codec.read, path = path_of_data()](const YamlNode& node) {
    if (node.kind != YamlNode::Kind::scalar) return as_group(node);
    S source;
    source.source = path.read(node);
    return source;
  };
  return codec;
}

struct Shuffle {
  std::optional<int64_t> seed = 0;
};

/// `shuffle: {seed}`; null for the whole means the order of the files.
Codec<Shuffle> shuffle_codec() {
  Codec<Shuffle> codec = group<Shuffle>({
      field("seed", &Shuffle::seed, optional(whole(0)),
            "Each epoch has a permutation of its own, made of this seed. null: the order of the "
            "files."),
  });
  codec.read = [as_group = codec.read](const YamlNode& node) {
    return node.kind == YamlNode::Kind::null ? Shuffle{std::nullopt} : as_group(node);
  };
  return below(codec);
}

std::string date_fault(const std::string& date) {
  return date.empty() || parse_date(date) ? "" : "must be a date, YYYY-MM-DD";
}

std::vector<Field<DataRecipe>> target_fields() {
  using D = DataRecipe;
  return {
      field(
          "mask", &D::mask,
          choice({"assistant", "last", "all", "completion", "generation"},
                 {"prefix", "qwen3_5", "response_template"}),
          "What is trained on. `assistant`: each assistant turn and the token that ends it. "
          "`last`: only the last of these turns. `completion`: the same, and the conversation must "
          "end with it. `all`: every token but the first. `generation`: what the template marks "
          "with "
          "{% generation %}. Rows of `text` are always trained on whole."),
      field(
          "mask_trailing_newline", &D::mask_trailing_newline, flag(),
          "Whether the newline that a template writes behind the end of a turn is trained on too."),
      field("content_tokens", &D::content_tokens, choice({"plain", "parsed"}),
            "`plain`: the text of a message never becomes a control token. `parsed`: it may, as in "
            "other tools."),
  };
}

}  // namespace

Codec<DataRecipe> data_codec() {
  using D = DataRecipe;
  std::vector<Field<D>> fields = {
      required(field("train", &D::train,
                     list(source_codec(), "a list of sources, each a path or the keys below"),
                     "What is trained on.")),
      field("evaluation", &D::evaluation,
            named(source_codec(), "names, each with a path or the keys below"),
            "Sets that are evaluated, by names of your choice."),
  };
  for (Field<D>& key : target_fields()) fields.push_back(std::move(key));
  const std::vector<Field<D>> rows = {
      field("sequence_length", &D::sequence_length, whole(2, int64_t{1} << 24), "The longest row.",
            "tokens"),
      field("overlong", &D::overlong, choice({"truncate", "drop", "split", "error"}),
            "What happens to a sample that is longer than a row: its end is cut off, it is left "
            "out, it goes on in the next row, or the run is refused."),
      field("packing", &D::packing, choice({"stream", "none"}, {"best_fit", "fixed_rows"}),
            "`stream`: rows are filled in order and a sample goes on in the next row; samples in a "
            "row do not see each other. `none`: one sample a row."),
      field<D, Shuffle>(
          "shuffle", [](const D& data) { return Shuffle{data.shuffle_seed}; },
          [](D& data, Shuffle shuffle) { data.shuffle_seed = shuffle.seed; }, shuffle_codec(), ""),
      field("skip_bad_lines", &D::skip_bad_lines, flag(),
            "Leave out and count lines that cannot be used, instead of stopping at the first."),
      field("workers", &D::workers, only<int>(1, small_whole(1, 1024)),
            "Processes that prepare data."),
      field("date", &D::date, checked<std::string>(text_or_null("a date, YYYY-MM-DD"), date_fault),
            "The date that templates see. null: the day on which the run starts; it is recorded."),
  };
  fields.insert(fields.end(), rows.begin(), rows.end());
  return group<D>(std::move(fields));
}

}  // namespace burnish
