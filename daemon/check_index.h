#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "base/error.h"
#include "base/result.h"
#include "daemon/heartbeat.h"
#include "daemon/reading_state.h"
#include "db/state_folder.h"
#include "iteration/bank_index.h"
#include "refine/duplicate_test.h"

namespace qdedup::daemon {

// The index of the bank that checks are answered with, and the one thread that builds it: at the start, and
// anew when much of the bank has changed, when it was replaced, or when the settings change. While there is
// none, checks read the bank.
class CheckIndex {
 public:
  using Time = std::chrono::steady_clock::time_point;

  // What an index is made for.
  struct Wanted {
    refine::DuplicateSettings settings;
    std::size_t bytes = 0;  // of memory at most; 0: none is wanted

    friend bool operator==(const Wanted& a, const Wanted& b) {
      return a.settings.min_similarity == b.settings.min_similarity &&
             a.settings.similarity == b.settings.similarity && a.bytes == b.bytes;
    }
  };

  struct Report {
    bool wanted = false;
    std::optional<Time> building;  // when it moved last; none: nothing is being built
    std::optional<Time> built_at;  // none: there is no index
    std::uint64_t questions = 0;
    std::uint64_t bytes = 0;
    std::string failure;  // why there is none; empty where it is not known yet
  };

  // `told` is called on the thread that builds: with the new index, or why there is none.
  using Told = std::function<void(const Result<std::shared_ptr<iteration::BankIndex>>&)>;

  CheckIndex(db::StateFolder folder, Told told);
  ~CheckIndex();  // waits for the thread
  CheckIndex(const CheckIndex&) = delete;
  CheckIndex& operator=(const CheckIndex&) = delete;

  // These may be called on any thread.

  // From now on an index is made for `wanted`.
  void want(const Wanted& wanted);

  // The index of this file's bank; null while there is none. Whoever uses it begins its view of the bank
  // afterwards (iteration::BankIndex::follow).
  [[nodiscard]] std::shared_ptr<iteration::BankIndex> of(const std::optional<FileIdentity>& bank_file);

  [[nodiscard]] Report report() const;

  // Nothing is built from now on.
  void begin_stop();
  // Waits at most `patience` until nothing is being built; answers whether that is so.
  bool stop(std::chrono::milliseconds patience);

 private:
  using Built = Result<std::shared_ptr<iteration::BankIndex>>;

  void work();
  void build_next(std::unique_lock<std::mutex>& lock);
  Built build(const Wanted& wanted, std::optional<FileIdentity>& bank_file);
  Status go_on();
  void ask_anew();
  [[nodiscard]] bool is_due() const;
  [[nodiscard]] bool two_fit() const;

  db::StateFolder folder_;
  Told told_;
  Heartbeat heartbeat_;

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  Wanted wanted_;
  bool asked_ = false;  // for an index that is not being built yet
  bool building_ = false;
  bool stopping_ = false;
  std::shared_ptr<iteration::BankIndex> index_;
  std::optional<FileIdentity> bank_file_;  // that the index is of
  std::optional<Time> built_at_;
  std::optional<Error> failure_;
  Time failed_at_;
  std::thread thread_;
};

}  // namespace qdedup::daemon
