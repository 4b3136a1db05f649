#include "measure/tracker.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>

#include "base/log.h"
#include "measure/process.h"

extern char** environ;

namespace burnish {
namespace {

constexpr int kPollMs = 50;

// Signals as a shell would give them to a program, whatever the run ignores or blocks.
pid_t spawn_shell(const std::string& command, int input, const std::string& log_file) {
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, input, STDIN_FILENO);
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, log_file.c_str(),
                                   O_WRONLY | O_CREAT | O_APPEND, 0644);
  posix_spawn_file_actions_adddup2(&files, STDOUT_FILENO, STDERR_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none, defaults;
  sigemptyset(&none);
  sigemptyset(&defaults);
  for (const int signal : {SIGINT, SIGTERM, SIGPIPE, SIGHUP}) sigaddset(&defaults, signal);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes,
                           POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  std::string shell = "/bin/sh", option = "-c", text = command;
  char* arguments[] = {shell.data(), option.data(), text.data(), nullptr};
  pid_t child = -1;
  const int failure = ::posix_spawn(&child, shell.c_str(), &files, &attributes, arguments, environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  errno = failure;
  return failure == 0 ? child : -1;
}

// A write to a program that has ended shall be an error here, not a signal to the run.
void block_sigpipe_in_this_thread() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGPIPE);
  ::pthread_sigmask(SIG_BLOCK, &set, nullptr);
}

void sleep_briefly() {
  std::this_thread::sleep_for(std::chrono::milliseconds(kPollMs));
}

}  // namespace

Tracker::Tracker(std::string command, const std::filesystem::path& log_file,
                 const TrackerLimits& limits)
    : command_(std::move(command)), limits_(limits), log_file_(log_file.string()) {
  start(log_file);
}

Tracker::~Tracker() {
  finish();
}

void Tracker::start(const std::filesystem::path& log_file) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) == 0) {
    ::fcntl(ends[1], F_SETFL, O_NONBLOCK);
    child_ = spawn_shell(command_, ends[0], log_file.string());
    const int failure = errno;
    ::close(ends[0]);
    pipe_ = ends[1];
    errno = failure;
  }
  if (child_ < 0) {
    warn(std::string("cannot be started: ") + std::strerror(errno));
    deaf_ = true;
    return;
  }
  writer_ = std::thread([this] { write_lines(); });
}

void Tracker::warn(const std::string& what) const {
  log_warning("tracker `" + command_ + "` " + what);
}

void Tracker::send(const std::string& line) {
  const std::lock_guard lock(mutex_);
  const bool full = queued_bytes_ + line.size() > limits_.queue_bytes;
  if (closing_ || deaf_ || full) {
    if (end_.lines_lost++ == 0 && full && !deaf_)
      warn("does not keep up: lines for it are lost from here on");
    return;
  }
  queue_.push_back(line + "\n");
  queued_bytes_ += line.size();
  changed_.notify_one();
}

void Tracker::write_lines() {
  block_sigpipe_in_this_thread();
  while (true) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return closing_ || !queue_.empty(); });
    if (queue_.empty()) break;
    const std::string line = std::move(queue_.front());
    queue_.pop_front();
    queued_bytes_ -= line.size() - 1;
    lock.unlock();
    const bool written = write_all(line);
    lock.lock();
    if (written) {
      ++end_.lines_sent;
      continue;
    }
    deaf_ = true;
    end_.lines_lost += 1 + static_cast<int64_t>(queue_.size());
    queue_.clear();
    if (!closing_) warn("has stopped reading; the run goes on without it. See " + log_file_);
    break;
  }
  ::close(pipe_);
}

// False once the program has ended, or when its time is over.
bool Tracker::write_all(const std::string& line) {
  for (size_t done = 0; done < line.size();) {
    const ssize_t n = ::write(pipe_, line.data() + done, line.size() - done);
    if (n > 0) {
      done += static_cast<size_t>(n);
    } else if (n < 0 && errno == EAGAIN) {
      pollfd wait{pipe_, POLLOUT, 0};
      ::poll(&wait, 1, kPollMs);
      const std::lock_guard lock(mutex_);
      if (give_up_at_s_ > 0 && monotonic_s() > give_up_at_s_) return false;
    } else if (n < 0 && errno != EINTR) {
      return false;
    }
  }
  return true;
}

void Tracker::wait_for_exit() {
  const double until = monotonic_s() + limits_.patience_s;
  int status = 0;
  pid_t ended = 0;
  while ((ended = ::waitpid(child_, &status, WNOHANG)) == 0 && monotonic_s() < until)
    sleep_briefly();
  if (ended == 0) {
    end_.stopped = true;
    ::kill(-child_, SIGTERM);
    for (int i = 0; i < 20 && (ended = ::waitpid(child_, &status, WNOHANG)) == 0; ++i)
      sleep_briefly();
  }
  if (ended == 0) {
    ::kill(-child_, SIGKILL);
    ended = ::waitpid(child_, &status, 0);
  }
  if (ended == child_)
    end_.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

TrackerEnd Tracker::finish() {
  if (finished_) return end_;
  finished_ = true;
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
    give_up_at_s_ = monotonic_s() + limits_.patience_s;
  }
  changed_.notify_one();
  if (!writer_.joinable()) {
    if (pipe_ >= 0) ::close(pipe_);
    return end_;
  }
  writer_.join();
  wait_for_exit();
  if (end_.stopped)
    warn("did not end by itself and was stopped. See " + log_file_);
  else if (end_.exit_code != 0)
    warn("ended with exit code " + std::to_string(end_.exit_code.value_or(-1)) + ". See " +
         log_file_);
  if (end_.lines_lost > 0) warn("did not get " + std::to_string(end_.lines_lost) + " lines");
  return end_;
}

}  // namespace burnish
