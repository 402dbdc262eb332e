#pragma once

#include <cstdint>
#include <ostream>
#include <streambuf>
#include <string>
#include <string_view>

#include "cli/console.h"
#include "daemon/heartbeat.h"
#include "daemon/responder.h"

namespace qdedup::daemon {

// What is written goes to a client, as lines of cli/remote_lines.h.
class RemoteOutput final : public std::streambuf {
 public:
  // Each line that is sent moves the heartbeat, so that a client that reads slowly is no hang.
  RemoteOutput(LineStream& stream, Heartbeat& heartbeat, char line, char part)
      : stream_(stream), heartbeat_(heartbeat), line_(line), part_(part) {}

  // Sends what stands after the last line feed, too.
  int sync() override;

 protected:
  int_type overflow(int_type character) override;
  std::streamsize xsputn(const char* bytes, std::streamsize count) override;

 private:
  void put(std::string_view bytes);

  LineStream& stream_;
  Heartbeat& heartbeat_;
  char line_;
  char part_;
  std::string waiting_;
};

// The console of a client that handed a command over. A client that goes away does not stop the command.
class RemoteConsole final : public cli::Console {
 public:
  // The heartbeat beats with what the command says and with its progress, and outlives the console.
  RemoteConsole(LineStream stream, Heartbeat& heartbeat);

  std::ostream& out() override { return out_; }
  std::ostream& err() override { return err_; }
  void show_progress(std::string_view stage, std::uint64_t done, std::uint64_t total,
                     std::string_view unit) override;

  // The last thing that is said.
  void finish(int exit_code);

 private:
  LineStream stream_;
  Heartbeat& heartbeat_;
  RemoteOutput out_bytes_;
  RemoteOutput err_bytes_;
  std::ostream out_;
  std::ostream err_;
};

}  // namespace qdedup::daemon
