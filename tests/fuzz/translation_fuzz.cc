// Any bytes as a message: its translation ends, and a value that is marked in it is there as it was.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>
#include <string_view>

#include "cli/translation.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace qdedup::cli;
  static const Translation chinese({"a name of two words", "--output=other words"});
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  (void)chinese.message(bytes);

  std::string value(bytes.substr(size / 2));
  std::erase_if(value, [](char byte) { return byte == '\n' || byte == '\1' || byte == '\2'; });
  std::ostringstream line;
  mark_verbatim(line);
  line << Verbatim{value} << ": " << bytes.substr(0, size / 2) << " (" << Verbatim{value} << ")\n";
  if (chinese.messages(line.str()).find(value) == std::string::npos) std::abort();
  return 0;
}
