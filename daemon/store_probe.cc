#include "daemon/store_probe.h"

#include <exception>
#include <utility>

#include <boost/asio/post.hpp>

#include "daemon/idleness.h"
#include "db/slots.h"

namespace qdedup::daemon {

void StoreProbe::ask() {
  if (std::exchange(asking_, true)) return;
  if (!asked_) asked_ = std::chrono::steady_clock::now();
  boost::asio::post(thread_, [this] {
    const bool answered = store_answers();
    boost::asio::post(loop_, [this, answered] {
      asking_ = false;
      if (answered) asked_.reset();
    });
  });
}

bool StoreProbe::is_done(std::chrono::milliseconds patience) { return becomes_idle(thread_, patience); }

bool StoreProbe::store_answers() try {
  if (!store_) {
    Result<db::Store> store = db::Store::open(folder_, db::Access::read_only);
    if (!store.ok()) return false;
    store_.emplace(*std::move(store));
  }
  if (db::Slots(*store_).recorded().ok()) return true;
  store_.reset();
  return false;
} catch (const std::exception&) {
  return false;
}

}  // namespace qdedup::daemon
