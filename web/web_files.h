#pragma once

#include <span>
#include <string_view>

namespace qdedup::web {

// A file of the review page, as it was when the program was built.
struct WebFile {
  std::string_view name;  // "index.html"
  std::string_view type;  // for Content-Type
  std::string_view tag;   // ETag, in its quotes: other content, other tag
  std::string_view content;
};

// All of them; they live as long as the program.
std::span<const WebFile> web_files();

}  // namespace qdedup::web
