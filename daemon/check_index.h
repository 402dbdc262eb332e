#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "base/error.h"
#include "base/result.h"
#include "daemon/worker.h"
#include "db/state_folder.h"
#include "iteration/bank_index.h"
#include "logs/files.h"
#include "refine/duplicate_settings.h"

namespace qdedup::daemon {

// The file at a path; none if there is none.
std::optional<logs::FileIdentity> identity_of(const std::string& path);

// The index of the bank for checks, and the worker that builds it: at the start, and again when much of the
// bank has changed, when the bank was replaced, or when the settings change. An old index and its replacement
// share the memory of one; if both do not fit, the old one is kept as long as it is of use. Thread-safe.
class CheckIndex {
 public:
  using Time = std::chrono::steady_clock::time_point;

  // What an index is built for.
  struct Wanted {
    refine::DuplicateSettings settings;
    std::size_t bytes = 0;  // at most, of memory; 0: no index

    friend bool operator==(const Wanted&, const Wanted&) = default;
  };

  struct Report {
    bool wanted = false;
    std::optional<Time> building;  // when it last made progress; none: nothing is being built
    std::optional<Time> built_at;  // none: there is no index
    std::uint64_t questions = 0;
    std::uint64_t bytes = 0;
    std::string failure;  // why there is none; empty while that is not known yet
  };

  // Called on the building thread with the new index, or the reason why there is none.
  using OnBuilt = std::function<void(const Result<std::shared_ptr<iteration::BankIndex>>&)>;

  // The bytes in `limits` are ignored.
  CheckIndex(db::StateFolder folder, OnBuilt on_built, const iteration::BankIndex::Limits& limits = {});
  ~CheckIndex();  // waits for the worker
  CheckIndex(const CheckIndex&) = delete;
  CheckIndex& operator=(const CheckIndex&) = delete;

  // Builds indexes for `wanted` from now on.
  void want(const Wanted& wanted);

  // The index of the bank in this file; null while there is none. The caller must take its view of the bank
  // afterwards (iteration::BankIndex::follow).
  [[nodiscard]] std::shared_ptr<iteration::BankIndex> of(const std::optional<logs::FileIdentity>& bank_file);

  // While the result lives, no build begins unless the settings change.
  [[nodiscard]] std::shared_ptr<void> pause();

  // How much of `bytes` of memory the index leaves to a caller that has paused it: at least half.
  [[nodiscard]] std::uint64_t memory_left(std::uint64_t bytes) const;

  [[nodiscard]] Report report() const;

  // Prevents further builds.
  void begin_stop();
  // Waits at most `patience` until nothing is being built or reported; returns whether that is so.
  bool stop(std::chrono::milliseconds patience);

 private:
  using Built = Result<std::shared_ptr<iteration::BankIndex>>;

  // What to build; abandoned when something else is wanted.
  struct BuildRequest {
    Wanted wanted;
    std::uint64_t time = 0;
  };

  void build_next();
  std::optional<BuildRequest> begin_build();
  Built build(const BuildRequest& request, std::optional<logs::FileIdentity>& bank_file);
  bool take(const BuildRequest& request, const Built& built,
            const std::optional<logs::FileIdentity>& bank_file);
  Status keep_building(const BuildRequest& request);
  void request_build();
  [[nodiscard]] bool is_due() const;
  [[nodiscard]] bool two_fit() const;
  [[nodiscard]] std::size_t reserved_bytes() const;

  db::StateFolder folder_;
  OnBuilt on_built_;
  iteration::BankIndex::Limits limits_;

  mutable std::mutex mutex_;  // an index is destroyed while nobody waits for this
  Wanted wanted_;
  std::uint64_t times_wanted_ = 0;
  int pauses_ = 0;
  bool requested_ = false;  // an index is to be built, but the build has not begun
  bool building_ = false;
  bool is_tight_ = false;  // another index did not fit beside this one
  std::shared_ptr<iteration::BankIndex> index_;
  std::optional<logs::FileIdentity> bank_file_;  // the file that the index belongs to
  std::optional<Time> built_at_;
  std::optional<Error> failure_;
  Time failed_at_;
  Worker builder_{[] {}};  // the last, so that its job has all the others
};

}  // namespace qdedup::daemon
