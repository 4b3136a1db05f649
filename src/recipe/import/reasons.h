// Why keys of several trainers have no effect here or are refused.
#pragma once

#include "recipe/import/rule.h"

namespace burnish::foreign {

inline constexpr Rule kHardware =
    idle("it says how the work runs on the hardware, not what is learned");
inline constexpr Rule kSharding =
    idle("it says how weights lie on several processes; one process holds them all");
inline constexpr Rule kAttention =
    idle("attention is always exact, and cuts at the samples' borders");
inline constexpr Rule kKernels = idle("the fused loss and kernels are always used");
inline constexpr Rule kLoading = idle("it says how another program loads data or weights");
inline constexpr Rule kReporting = idle("the run folder always has the metrics, and a report");
inline constexpr Rule kNoCode =
    idle("code of a checkpoint is never run; unknown families are refused when loaded");
inline constexpr Rule kEvaluationSize =
    idle("the evaluation loss does not depend on how rows are laid out");
inline constexpr Rule kOtherStage = idle("it goes with another stage than supervised fine-tuning");
inline constexpr Rule kGenerating = idle("it goes with generating text, not with training");
inline constexpr Rule kMultimodal =
    idle("it goes with images, video and sound, which are refused with the model");

inline constexpr Rule kTracker =
    aside("that service gets nothing from here by this key",
          "leave it out; metrics.jsonl and TensorBoard files are always written");
inline constexpr Rule kUpload =
    aside("nothing is uploaded", "upload the run's folder `model` yourself");

inline constexpr Rule kAdapter =
    lacks("adapters are not there yet",
          "leave it out to train all weights, or choose some with model.trainable");
inline constexpr Rule kQuantized = lacks("training over a quantized model is not there yet",
                                         "leave it out to train the weights themselves");
inline constexpr Rule kFp8 = lacks("fp8 is not there yet", "leave it out");
inline constexpr Rule kStage =
    lacks("this is another task than supervised fine-tuning", "keep that trainer for it");
inline constexpr Rule kOptimizerPart =
    lacks("AdamW is the only optimizer", "leave it out, and write adamw_torch");
inline constexpr Rule kLossPart =
    lacks("the loss is the plain cross-entropy over the targets", "leave it out");
inline constexpr Rule kNoise = lacks("noise on the embeddings is not there", "leave it out");
inline constexpr Rule kTokens =
    lacks("the vocabulary is the checkpoint's own", "add the tokens to the checkpoint first");
inline constexpr Rule kModelChange =
    lacks("the model is computed as its checkpoint says", "leave it out");
inline constexpr Rule kBySearch = lacks(
    "the batch size is what the recipe says, not what a search finds", "write the size that fits");
inline constexpr Rule kResume =
    lacks("a run of another trainer cannot be resumed",
          "leave it out; `burnish train --resume` goes on with Burnish's own runs, "
          "train.init_from starts from weights");
inline constexpr Rule kLastBatch =
    lacks("the last, smaller step of an epoch is trained on", "leave it out");
inline constexpr Rule kPartOfData =
    lacks("a source is read whole", "write the part into a file of its own");
inline constexpr Rule kRenamed =
    lacks("rows have `messages` (role, content) or `text`", "rename the fields in the file");

}  // namespace burnish::foreign
