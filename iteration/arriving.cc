#include "iteration/arriving.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/containers.h"
#include "db/arrivals.h"
#include "db/bank_import.h"
#include "db/bank_reading.h"
#include "db/fingerprints.h"
#include "iteration/draft.h"
#include "iteration/revalidation.h"

namespace qdedup::iteration {
namespace {

// With more, all that arrived is looked through instead.
constexpr std::size_t max_followed = 1'000'000;
// So few are looked at again each time, rather than note that they concern nothing that arrived.
constexpr std::size_t few_changes = 1000;
// That leave the bank in one transaction.
constexpr std::size_t removed_at_once = 100'000;

// The options of the bank's texts; none if it is empty, or cannot be followed now.
Result<std::optional<markup::Options>> options_to_follow(db::Bank& bank) {
  QDEDUP_ASSIGN_OR_RETURN(const std::uint64_t questions, bank.count());
  QDEDUP_ASSIGN_OR_RETURN(const std::optional<std::string> interrupted, bank.interrupted_import());
  if (questions == 0 || interrupted) return std::optional<markup::Options>();
  return db::current_options(bank);
}

Status let_in(db::Store& reading, db::Bank& bank, const markup::Options& options, const std::string& at) {
  QDEDUP_ASSIGN_OR_RETURN(const std::vector<db::Arrival> arrivals, db::Arrivals(reading).entering());
  std::vector<db::BankQuestion> entering;
  for (const db::Arrival& arrival : arrivals) {
    const db::BankQuestion& stored = arrival.question;
    QDEDUP_ASSIGN_OR_RETURN(const auto known, bank.find(stored.id));
    if (known) continue;
    entering.push_back(db::bank_question(stored.id, stored.original_text(), stored.original_answer(), options,
                                         db::images_of(stored)));
    entering.back().arrived_at = arrival.at;
  }
  return entering.empty() ? Status() : db::BankImport::load_at_once(bank, "check", at, entering);
}

}  // namespace

Status follow_bank(db::Store& reading, db::StoreWriter& writing, db::Bank& bank,
                   const refine::DuplicateSettings& settings, const Clock& clock) {
  QDEDUP_ASSIGN_OR_RETURN(const bool any, db::Arrivals(reading).any());
  if (!any) return {};
  QDEDUP_ASSIGN_OR_RETURN(const auto options, options_to_follow(bank));
  if (!options) return {};
  const std::string at = timestamp(clock.now());
  QDEDUP_TRY(let_in(reading, bank, *options, at));
  QDEDUP_ASSIGN_OR_RETURN(const db::FollowedBank followed, db::Arrivals(reading).followed());
  QDEDUP_ASSIGN_OR_RETURN(const db::FollowedBank present, db::present_bank(bank));
  QDEDUP_ASSIGN_OR_RETURN(const std::vector<QuestionId> released, db::Arrivals(reading).released());
  if (followed == present && released.empty()) return {};
  std::optional<std::vector<QuestionId>> changed;
  if (followed.rules != present.rules) {
    QDEDUP_TRY(writing.write([&](db::Store& store) {
      return db::Arrivals(store).refresh(present.rules, *options, settings, bank);
    }));
  } else if (followed.identity == present.identity && followed.change <= present.change) {
    QDEDUP_ASSIGN_OR_RETURN(changed, db::changed_since(bank, followed.change, max_followed));
    if (changed) {
      changed->insert(changed->end(), released.begin(), released.end());
      sort_unique(*changed);
    }
    if (changed && released.empty() && changed->size() <= few_changes) {
      QDEDUP_ASSIGN_OR_RETURN(const bool concerned, db::Arrivals(reading).concern(*changed));
      if (!concerned) return {};
    }
  }
  return writing.write([&](db::Store& store) {
    return db::Arrivals(store).follow(changed, present_in(bank), db::arrivals_in(bank), present, at);
  });
}

std::chrono::sys_seconds expiry_moment(const Clock& clock, std::uint64_t days) {
  return std::chrono::floor<std::chrono::seconds>(clock.now()) - std::chrono::days(days);
}

Result<db::Expired> expire(db::Store& reading, db::StoreWriter& writing, db::Bank& bank,
                           const refine::DuplicateSettings& settings, const Clock& clock,
                           std::chrono::sys_seconds moment, bool dry_run) {
  QDEDUP_TRY(expect_bank_here(reading, bank));
  QDEDUP_TRY(expect_no_interrupted_import(bank));
  if (!dry_run) QDEDUP_TRY(follow_bank(reading, writing, bank, settings, clock));
  const std::int64_t seconds = moment.time_since_epoch().count();
  const std::string at = timestamp(clock.now());
  QDEDUP_ASSIGN_OR_RETURN(const std::vector<QuestionId> in_bank, bank.arrived_before(seconds));
  QDEDUP_ASSIGN_OR_RETURN(const db::Expired expired, writing.write([&](db::Store& store) {
    return db::Arrivals(store).expire(seconds, in_bank, present_in(bank), at, dry_run);
  }));
  for (std::size_t begin = 0; !dry_run && begin < expired.leaving.size(); begin += removed_at_once) {
    const auto rest = std::span(expired.leaving).subspan(begin);
    QDEDUP_TRY(db::BankImport::remove_at_once(bank, "expire", at,
                                              rest.first(std::min(rest.size(), removed_at_once))));
  }
  // What it does not come to, the next one does; what expired is gone.
  if (!dry_run) (void)follow_bank(reading, writing, bank, settings, clock);
  return expired;
}

}  // namespace qdedup::iteration
