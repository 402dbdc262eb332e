#include "daemon/remote_console.h"

#include <utility>

#include "cli/remote_lines.h"

namespace qdedup::daemon {

int RemoteOutput::sync() {
  if (!waiting_.empty()) stream_.write(part_ + std::exchange(waiting_, {}));
  return 0;
}

RemoteOutput::int_type RemoteOutput::overflow(int_type character) {
  if (character == traits_type::eof()) return traits_type::not_eof(character);
  const char byte = traits_type::to_char_type(character);
  put({&byte, 1});
  return character;
}

std::streamsize RemoteOutput::xsputn(const char* bytes, std::streamsize count) {
  put({bytes, static_cast<std::size_t>(count)});
  return count;
}

void RemoteOutput::put(std::string_view bytes) {
  for (std::size_t end = bytes.find('\n'); end != std::string_view::npos; end = bytes.find('\n')) {
    stream_.write(line_ + std::exchange(waiting_, {}) + std::string(bytes.substr(0, end)));
    heartbeat_.beat();
    bytes.remove_prefix(end + 1);
  }
  waiting_ += bytes;
}

RemoteConsole::RemoteConsole(LineStream stream, Heartbeat& heartbeat)
    : stream_(std::move(stream)),
      heartbeat_(heartbeat),
      out_bytes_(stream_, heartbeat, cli::out_line, cli::out_part),
      err_bytes_(stream_, heartbeat, cli::err_line, cli::err_part),
      out_(&out_bytes_),
      err_(&err_bytes_) {}

void RemoteConsole::show_progress(std::string_view stage, std::uint64_t done, std::uint64_t total,
                                  std::string_view unit) {
  heartbeat_.beat();
  stream_.offer(cli::progress_line +
                cli::progress_text({done, total, std::string(unit), std::string(stage)}));
}

void RemoteConsole::finish(int exit_code) {
  out_.flush();
  err_.flush();
  stream_.write(cli::exit_line + std::to_string(exit_code));
  stream_.finish();
}

}  // namespace qdedup::daemon
