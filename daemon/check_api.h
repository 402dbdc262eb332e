#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "base/result.h"
#include "daemon/api.h"
#include "daemon/responder.h"
#include "daemon/router.h"
#include "db/bank.h"
#include "db/state_folder.h"
#include "db/store.h"
#include "iteration/question_check.h"
#include "logs/files.h"

namespace qdedup::daemon {

// POST /v1/check, GET /v1/similar/ID (doc/formats.md).
void add_check_routes(Router& router, const ApiContext& context);

// By which questions are checked, and extracted.
struct CheckSettings {
  engine::DecisionSettings decisions;
  markup::Options text;
};

// Serves requests to check questions, in order. Requests that arrive while others are being served are then
// served together, because one pass over the bank is enough for any number of questions. One with long texts,
// which take long to compare, is served alone, so that its work ends when its client goes. Thread-safe.
class CheckQueue : public std::enable_shared_from_this<CheckQueue> {
 public:
  using Outcomes = Result<std::vector<iteration::CheckOutcome>>;
  using Check = std::function<Outcomes(std::span<const iteration::AskedQuestion> questions,
                                       const CheckSettings& settings, const iteration::GoOn& go_on)>;
  // Runs a function later, on the thread that checks.
  using Post = std::function<void(std::function<void()>)>;

  CheckQueue(Post post, Check check) : post_(std::move(post)), check_(std::move(check)) {}

  // Uses the newest settings among the waiting requests. Drops those whose clients have gone; if what was
  // posted is dropped, all of them. `refusal` is that of the request (daemon/http_message.h).
  void take(std::vector<iteration::AskedQuestion> questions, const CheckSettings& settings,
            const Responder& responder, std::function<std::optional<Response>()> refusal = {});

 private:
  struct Waiting {
    std::vector<iteration::AskedQuestion> questions;
    Responder responder;
    bool has_long_text;
    std::function<std::optional<Response>()> refusal;
  };
  struct Turn;

  void post();
  void serve_next();
  std::vector<Waiting> take_next();
  std::vector<Waiting> take_all();
  void serve(std::vector<Waiting>& requests, const CheckSettings& settings);

  Post post_;
  Check check_;
  std::mutex mutex_;
  std::vector<Waiting> waiting_;
  bool posted_ = false;  // serve_next(), and it has not begun
  CheckSettings settings_;
};

// Read-only connections kept open from one check to the next. Not thread-safe.
class ReadConnections {
 public:
  explicit ReadConnections(db::StateFolder folder) : folder_(std::move(folder)) {}

  // Opens those that are closed, or whose file was replaced.
  Status open();
  // After an error, since the connection may be the cause.
  void close();

  // Only while open.
  [[nodiscard]] db::Store& store() { return *store_; }
  [[nodiscard]] db::Bank& bank() { return *bank_; }
  [[nodiscard]] const std::optional<logs::FileIdentity>& bank_file() const { return bank_file_; }

 private:
  db::StateFolder folder_;
  std::optional<logs::FileIdentity> store_file_;
  std::optional<logs::FileIdentity> bank_file_;
  std::optional<db::Store> store_;
  std::optional<db::Bank> bank_;
};

}  // namespace qdedup::daemon
