#include "db/text_hash.h"

#include <xxhash.h>

namespace qdedup::db {

std::uint64_t text_hash(std::string_view text) { return XXH3_64bits(text.data(), text.size()); }

}  // namespace qdedup::db
