#include "page/reading.h"

#include <utility>

#include "import/question_characters.h"

namespace qdedup::page {

Result<Reading> Reading::open(const db::StateFolder& folder) {
  Result<db::Store> store = db::Store::open(folder, db::Access::read_only);
  if (!store.ok()) return std::move(store).error();
  Result<db::Bank> bank = db::Bank::open(folder, db::Access::read_only);
  if (!bank.ok()) return std::move(bank).error();
  const Result<db::CharacterSums> sums = bank->character_sums();
  if (!sums.ok()) return sums.error();
  return Reading{*std::move(store), *std::move(bank), import::character_counts(*sums)};
}

}  // namespace qdedup::page
