#include "daemon/store_probe.h"

#include <cstdint>
#include <exception>
#include <utility>

#include <boost/asio/post.hpp>

#include "base/error.h"
#include "db/iterations.h"

namespace qdedup::daemon {
namespace {

// Pages of each database per look: a megabyte, so a gigabyte takes three hours.
constexpr std::uint64_t pages_at_a_time = 256;

}  // namespace

Result<std::unique_ptr<StoreProbe>> StoreProbe::create(boost::asio::io_context& loop, db::StateFolder folder,
                                                       std::function<void(const Finding&)> found) {
  QDEDUP_ASSIGN_OR_RETURN(Opened opened, open(folder));
  return std::unique_ptr<StoreProbe>(
      new StoreProbe(loop, std::move(folder), std::move(found), std::move(opened)));
}

Result<StoreProbe::Opened> StoreProbe::open(const db::StateFolder& folder) {
  QDEDUP_ASSIGN_OR_RETURN(db::Store store, db::Store::open(folder, db::Access::read_only));
  QDEDUP_ASSIGN_OR_RETURN(db::Bank bank, db::Bank::open(folder, db::Access::read_only));
  QDEDUP_TRY(bank.count());  // reading something opens all the files
  QDEDUP_TRY(db::Slots(store).recorded());
  db::DiskCheck store_check(store.path(), store.database());
  db::DiskCheck bank_check(bank.path(), bank.database());
  return Opened{std::move(store), std::move(bank), std::move(store_check), std::move(bank_check)};
}

void StoreProbe::ask() {
  if (asked_) return;
  asked_ = std::chrono::steady_clock::now();
  boost::asio::post(thread_, [this] {
    Finding finding;
    try {
      finding = look();
    } catch (const std::exception& exception) {
      finding.trouble = exception_error(exception);
    }
    boost::asio::post(loop_, [this, finding = std::move(finding)] {
      asked_.reset();
      found_(finding);
    });
  });
}

StoreProbe::Finding StoreProbe::look() {
  const auto first_error = [this]() -> Status {
    QDEDUP_TRY(opened_.store_check.files().check());
    QDEDUP_TRY(opened_.bank_check.files().check());
    QDEDUP_TRY(opened_.store.check_schema());
    QDEDUP_TRY(opened_.bank.check_schema());
    QDEDUP_TRY(opened_.store_check.check_pages(pages_at_a_time));
    QDEDUP_TRY(opened_.bank_check.check_pages(pages_at_a_time));
    QDEDUP_TRY(db::Slots(opened_.store).recorded());
    return {};
  };
  const Status sound = first_error();
  if (sound.ok()) return {};
  return {sound.error(), needs_restart()};
}

bool StoreProbe::needs_restart() const {
  const db::DatabaseFiles& store = opened_.store_check.files();
  const db::DatabaseFiles& bank = opened_.bank_check.files();
  if (store.check().ok() && bank.check().ok()) return false;
  if (store.are_mixed() || bank.are_mixed()) return true;
  return db::Store::open(folder_, db::Access::read_only).ok() &&
         db::Bank::open(folder_, db::Access::read_only).ok();
}

}  // namespace qdedup::daemon
