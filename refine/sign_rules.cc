#include "refine/sign_rules.h"

#include <array>

#include <unicode/uchar.h>
#include <unicode/uversion.h>

namespace qdedup::refine {

std::string sign_rules_version() {
  std::array<UVersionInfo, 1> unicode{};
  u_getUnicodeVersion(unicode[0]);
  std::array<char, U_MAX_VERSION_STRING_LENGTH> text{};
  u_versionToString(unicode[0], text.data());
  return std::string("3/unicode-") + text.data();
}

}  // namespace qdedup::refine
