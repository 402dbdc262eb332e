#include "import/fingerprints.h"

#include <string>
#include <string_view>

#include "refine/parts.h"
#include "refine/sign_rules.h"

namespace qdedup::import {

Status bring_fingerprints_up_to_date(db::Bank& bank, const Progress& progress) {
  const std::string version = refine::sign_rules_version();
  const Result<std::string> stored = bank.fingerprint_version();
  if (!stored.ok()) return stored.error();
  if (*stored == version) return {};
  progress("fingerprints", 0, 0, "questions");
  return bank.refresh_fingerprints(
      version, [](std::string_view text) { return refine::sign_fingerprint(refine::parts_of(text)); });
}

}  // namespace qdedup::import
