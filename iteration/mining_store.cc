#include "iteration/mining_store.h"

namespace qdedup::iteration {

MiningStore mining_store(db::StoreWriter& writer) {
  return {
      [&writer] { return writer.write([](db::Store& store) { return db::Evidence(store).logs(); }); },
      [&writer](const db::MinedStretch& stretch, const std::string& mined_at) {
        return writer.write([&](db::Store& store) { return db::Evidence(store).append(stretch, mined_at); });
      }};
}

}  // namespace qdedup::iteration
