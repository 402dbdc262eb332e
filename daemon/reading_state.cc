#include "daemon/reading_state.h"

#include <cstddef>
#include <utility>

namespace qdedup::daemon {
namespace {

// Holds the upper levels of the tree of a bank of tens of millions.
constexpr std::size_t pages_in_memory = std::size_t{32} << 20U;

}  // namespace

std::optional<logs::FileIdentity> identity_of(const std::string& path) {
  const auto signature = logs::signature_of(path);
  if (!signature) return std::nullopt;
  return signature->identity;
}

Status ReadingState::open() {
  const auto store_file = identity_of(folder_.store_path());
  const auto bank_file = identity_of(folder_.bank_path());
  if (store_ && bank_ && store_file == store_file_ && bank_file == bank_file_) return {};
  close();
  Result<db::Store> store = db::Store::open(folder_, db::Access::read_only);
  if (!store.ok()) return std::move(store).error();
  Result<db::Bank> bank = db::Bank::open(folder_, db::Access::read_only);
  if (!bank.ok()) return std::move(bank).error();
  QDEDUP_TRY(bank->keep_in_memory(pages_in_memory));
  store_.emplace(*std::move(store));
  bank_.emplace(*std::move(bank));
  store_file_ = store_file;
  bank_file_ = bank_file;
  return {};
}

void ReadingState::close() {
  store_.reset();
  bank_.reset();
}

}  // namespace qdedup::daemon
