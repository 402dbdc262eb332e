#include "daemon/scheduled_jobs.h"

#include <utility>

#include <boost/asio/post.hpp>

#include "base/progress.h"
#include "iteration/arriving.h"
#include "iteration/draft.h"
#include "iteration/iteration.h"

namespace qdedup::daemon {
namespace {

using std::chrono::sys_seconds;

// Reports an iteration's progress to the heartbeat.
Progress beating(Heartbeat& heartbeat) {
  return [&heartbeat](std::string_view, std::uint64_t, std::uint64_t, std::string_view) { heartbeat.beat(); };
}

// Follows what was decided on the page as well. Nothing expires with 0 days, or where the bank is in a lake.
Result<db::Expired> expire_on(db::WritableState& state, const db::StateFolder& folder,
                              const config::Settings& settings, const Clock& clock,
                              const db::OnActivity& on_activity) {
  QDEDUP_TRY(state.store.held());
  QDEDUP_ASSIGN_OR_RETURN(db::Store reading, db::Store::open(folder, db::Access::read_only));
  reading.on_activity(on_activity);
  QDEDUP_ASSIGN_OR_RETURN(const bool in_lake, iteration::is_in_lake(reading, state.bank));
  if (in_lake) return db::Expired{};
  const std::uint64_t days = settings.check.keep_days;
  if (days == 0) {
    QDEDUP_TRY(iteration::follow_bank(reading, state.store, state.bank, settings.refine, clock));
    return db::Expired{};
  }
  return iteration::expire(reading, state.store, state.bank, settings.refine, clock,
                           iteration::expiry_moment(clock, days), false);
}

Result<std::vector<sys_seconds>> recorded_in(db::WritableState& state, const db::StateFolder& folder) {
  QDEDUP_TRY(state.store.held());
  QDEDUP_ASSIGN_OR_RETURN(db::Store reading, db::Store::open(folder, db::Access::read_only));
  return db::Slots(reading).recorded();
}

Status record(db::WritableState& state, sys_seconds slot, const Clock& clock) {
  return state.store.write(
      [&](db::Store& store) { return db::Slots(store).record(slot, timestamp(clock.now())); });
}

// Where the bank is in a lake, iterations come from there.
Result<std::optional<db::IterationRecord>> iterate_on(db::WritableState& state,
                                                      const config::Settings& settings, const Clock& clock,
                                                      sys_seconds slot, Heartbeat& heartbeat) {
  QDEDUP_TRY(state.store.held());
  QDEDUP_ASSIGN_OR_RETURN(db::Store reading,
                          db::Store::open(db::StateFolder(settings.state.folder), db::Access::read_only));
  reading.on_activity([&heartbeat](db::Activity) { heartbeat.beat(); });
  QDEDUP_ASSIGN_OR_RETURN(const bool in_lake, iteration::is_in_lake(reading, state.bank));
  if (in_lake) {
    QDEDUP_TRY(record(state, slot, clock));
    return std::optional<db::IterationRecord>();
  }
  return iteration::run_iteration({reading, state.store, state.bank, settings, clock, beating(heartbeat)},
                                  slot);
}

}  // namespace

SlotKeeper::Actions ScheduledJobs::slot_actions() {
  return {
      [this](const std::function<void(const SlotKeeper::Recorded&)>& found) { find_recorded(found); },
      [this](sys_seconds slot, std::function<void(const Status&)> done) { iterate(slot, std::move(done)); },
      [this](sys_seconds slot, std::function<void(const Status&)> done) { note(slot, std::move(done)); },
      [this] { report_.last_failure.clear(); },
      [this](LogWait& wait) {
        const TailReport tail = context_.tail.report();
        wait.note(tail.progress, tail.looked_at);
        if (tail.looked_at < wait.begun()) context_.tail.look_now();
      },
      [this](const std::string& news) { context_.log->info("{}", news); }};
}

// Calls `done` on the loop's thread with the result of `work`.
template <class Value, class Work>
void ScheduledJobs::post(Worker& worker, const char* job, Work work,
                         std::function<void(const Result<Value>&)> done) {
  const auto finish = [this, done = std::move(done)](const Result<Value>& result) {
    boost::asio::post(context_.loop, [done, result] { done(result); });
  };
  worker.post(
      {job, [work = std::move(work), finish](Heartbeat& heartbeat) { finish(work(heartbeat)); }, finish});
}

void ScheduledJobs::find_recorded(const std::function<void(const SlotKeeper::Recorded&)>& found) {
  if (recorded_slots_) return found(*recorded_slots_);
  post<std::vector<sys_seconds>>(
      context_.readers, "schedule",
      [this](Heartbeat&) { return recorded_in(*context_.state, context_.folder); },
      [this, found](const SlotKeeper::Recorded& slots) {
        if (slots.ok()) {
          recorded_slots_ = *slots;
        } else {
          context_.log->error("the schedule waits: {}", slots.error().message);
        }
        found(slots);
      });
}

void ScheduledJobs::iterate(sys_seconds slot, std::function<void(const Status&)> done) {
  context_.log->info("iteration for the slot of {}", timestamp(slot));
  post<std::optional<db::IterationRecord>>(
      context_.worker, "iteration",
      [this, slot, settings = context_.settings](Heartbeat& heartbeat) {
        const auto paused = context_.index.pause();
        config::Settings left = settings;
        left.resources.memory_bytes = context_.index.memory_left(settings.resources.memory_bytes);
        return iterate_on(*context_.state, left, context_.clock, slot, heartbeat);
      },
      [this, done = std::move(done)](const Result<std::optional<db::IterationRecord>>& result) {
        on_iterated(result);
        done(result.ok() ? Status() : Status(result.error()));
      });
}

void ScheduledJobs::on_iterated(const Result<std::optional<db::IterationRecord>>& iteration) {
  recorded_slots_.reset();
  ++(iteration.ok() ? report_.succeeded : report_.failed);
  if (!iteration.ok()) {
    report_.last_failure = iteration.error().message;
    context_.log->error("the iteration failed, and is tried again: {}", iteration.error().message);
    return;
  }
  report_.last_failure.clear();
  if (!iteration->has_value()) return context_.log->info("nothing new to decide; no iteration was made");
  const db::IterationRecord& record = **iteration;
  context_.log->info(
      "iteration {} of the schedule: {} lines, {} distinct lists, {} clusters, {} deletions, {} withdrawn",
      record.id, record.counts.lines, record.counts.distinct_lists, record.counts.clusters,
      record.counts.deletions, record.counts.withdrawn);
}

void ScheduledJobs::note(sys_seconds slot, std::function<void(const Status&)> done) {
  post<void>(
      context_.worker, "schedule",
      [this, slot](Heartbeat&) { return record(*context_.state, slot, context_.clock); },
      [this, done = std::move(done)](const Status& noted) {
        recorded_slots_.reset();
        done(noted);
      });
}

void ScheduledJobs::tidy() {
  post<db::Expired>(
      context_.worker, "arrivals",
      [this, settings = context_.settings](Heartbeat&) {
        return expire_on(*context_.state, context_.folder, settings, context_.clock,
                         context_.worker.on_activity());
      },
      [this](const Result<db::Expired>& result) {
        if (!result.ok())
          return context_.log->warn("what arrived is looked after later: {}", result.error().message);
        if (result->arrived == 0 && result->leaving.empty()) return;
        context_.log->info("expired: {} duplicates, {} questions of the bank", result->arrived,
                           result->leaving.size());
      });
}

}  // namespace qdedup::daemon
