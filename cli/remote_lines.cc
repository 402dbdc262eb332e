#include "cli/remote_lines.h"

#include <sstream>

namespace qdedup::cli {

std::string progress_text(const RemoteProgress& progress) {
  return std::to_string(progress.done) + ' ' + std::to_string(progress.total) + ' ' + progress.unit + ' ' +
         progress.stage;
}

std::optional<RemoteProgress> parse_progress(std::string_view text) {
  std::istringstream in{std::string(text)};
  RemoteProgress progress;
  in >> progress.done >> progress.total >> progress.unit >> std::ws;
  if (!in || !std::getline(in, progress.stage)) return std::nullopt;
  return progress;
}

}  // namespace qdedup::cli
