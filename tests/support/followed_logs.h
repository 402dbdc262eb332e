#pragma once

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <SQLiteCpp/SQLiteCpp.h>
#include <sqlite3.h>

#include "iteration/log_follower.h"
#include "miner/evidence_chunk.h"
#include "tests/support/command_line_packer.h"
#include "tests/support/numbered_lines.h"
#include "tests/support/sample_state.h"

namespace qdedup {

// A folder of logs, a follower of app.log* in it, and the state that it mines into. Time passes only when the
// test lets it.
class FollowedLogs {
 public:
  FollowedLogs() {
    std::filesystem::create_directory(path("logs"));
    sample.settings.logs.paths = {log("app.log*")};
    sample.settings.logs.max_line_bytes = 1000;
    restart();
  }

  [[nodiscard]] std::string path(const std::string& name) const { return sample.folder / name; }
  [[nodiscard]] std::string log(const std::string& name) const { return path("logs/" + name); }

  void write(const std::string& name, const std::string& bytes) const {
    sample.folder.write("logs/" + name, bytes);
  }
  void append(const std::string& name, const std::string& bytes) const {
    sample.folder.append("logs/" + name, bytes);
  }
  void rename(const std::string& from, const std::string& to) const {
    std::filesystem::rename(log(from), log(to));
  }
  void remove(const std::string& name) const { std::filesystem::remove(log(name)); }

  // As gzip and zstd do: the packed file appears, then the plain one goes.
  void pack(const std::string& name, const std::string& command, const std::string& ending) const {
    write(name + ending, packed(command, sample.folder.read("logs/" + name)));
    remove(name);
  }

  // As logrotate does it with copytruncate; the writer goes on at the end of the file.
  void copy_and_cut(const std::string& name, const std::string& copy) const {
    std::filesystem::copy_file(log(name), log(copy));
    std::filesystem::resize_file(log(name), 0);
  }

  // A new process on the same state.
  void restart() {
    follower.reset();
    follower = must(
        iteration::LogFollower::create(sample.settings, options, sample.files, sample.writer, sample.clock));
  }

  void pass(std::chrono::milliseconds time) { sample.clock.steady_time += time; }

  // Turns until there is nothing more to do at once; returns how many there were.
  int turns() {
    for (int count = 1;; ++count) {
      if (!must(follower->turn()).more) return count;
    }
  }

  // And all that only needs a little time.
  void settle() {
    for (int round = 0; round < 3; ++round) {
      turns();
      pass(std::chrono::seconds(2));
    }
    turns();
  }

  // The numbers of the lines in the evidence, sorted: each as often as it was counted.
  std::vector<int> mined() {
    miner::SeedLists lists;
    db::Evidence evidence(sample.store);
    const auto last = must(evidence.unconsumed()).last_id;
    must(evidence.for_each_unconsumed(
        last, [&](std::string_view chunk) { return miner::decode_evidence(chunk, lists); }));
    std::vector<int> found;
    for (std::size_t i = 0; i < lists.size(); ++i) found.push_back(static_cast<int>(lists.ids(i)[0] / 2));
    std::sort(found.begin(), found.end());  // without optimisation, std::ranges::sort calls far more
    return found;
  }

  // Of so many lines those that were not counted once, as "3 not, 4 more than once".
  std::string wrong_lines(int written) {
    std::map<int, int> counts;
    for (int number = 0; number < written; ++number) counts[number] = 0;
    for (const int number : mined()) ++counts[number];
    std::string wrong;
    for (const auto& [number, count] : counts) {
      if (count != 1) wrong += std::to_string(number) + (count == 0 ? " not, " : " more than once, ");
    }
    return wrong;
  }

  // Of all logs in the store.
  LineTotals totals() {
    LineTotals sum;
    for (const db::LogRecord& record : must(db::Evidence(sample.store).logs())) sum += record.totals;
    return sum;
  }

  // The names of the logs in the store that may have lost something.
  std::vector<std::string> possible_losses() {
    std::vector<std::string> names;
    for (const db::LogRecord& record : must(db::Evidence(sample.store).logs())) {
      if (record.possible_loss) names.push_back(std::filesystem::path(record.path).filename());
    }
    return names;
  }

  [[nodiscard]] std::vector<std::string> news(iteration::LogNews::Kind kind) {
    std::vector<std::string> names;
    for (const iteration::LogNews& item : follower->take_news()) {
      if (item.kind == kind) names.push_back(std::filesystem::path(item.path).filename());
    }
    return names;
  }

  // What becomes of the next stretch: nothing is stored, or it is stored although COMMIT fails. It ends with
  // the connection, which is closed after any error.
  enum class Append { works, is_refused, is_stored_and_fails };
  void next_append(Append what) {
    must(sample.writer.write([what](db::Store& store) -> Status {
      sqlite3* connection = store.database().getHandle();
      sqlite3_set_authorizer(connection, what == Append::is_refused ? refuse_update : nullptr, nullptr);
      if (what == Append::is_stored_and_fails) {
        sqlite3_wal_hook(connection, fail_after_commit, nullptr);
      } else {
        sqlite3_wal_autocheckpoint(connection, 1000);
      }
      return {};
    }));
  }

  SampleState sample;
  iteration::FollowerOptions options;
  std::unique_ptr<iteration::LogFollower> follower;

 private:
  static int refuse_update(void* /*context*/, int action, const char* /*table*/, const char* /*column*/,
                           const char* /*database*/, const char* /*trigger*/) {
    return action == SQLITE_UPDATE ? SQLITE_DENY : SQLITE_OK;
  }
  static int fail_after_commit(void* /*context*/, sqlite3* /*connection*/, const char* /*database*/,
                               int /*pages*/) {
    return SQLITE_IOERR;
  }
};

}  // namespace qdedup
