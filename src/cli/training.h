// A run as the commands start it: through the engine, and its report behind it.
#pragma once

#include "engine_door.h"

namespace burnish {

/// When this process began, for startup_s; after a build in the same process (the `burnish` script
/// becomes the program by exec) the present.
double start_of_work_s();

/// Trains and writes report.html, also for a run that was stopped or failed.
TrainSummary train_and_report(const TrainRequest& request);

}  // namespace burnish
