#include "cli/daemon_client.h"

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <limits>

#include <boost/asio/error.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/buffer_body.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <nlohmann/json.hpp>
#include <sys/socket.h>
#include <sys/stat.h>

#include "cli/blocking_stream.h"
#include "cli/unix_address.h"

namespace qdedup::cli {
namespace {

namespace http = boost::beast::http;
using boost::system::error_code;

constexpr std::chrono::milliseconds no_end{-1};
constexpr std::size_t max_refusal_size = std::size_t{64} * 1024;

// Cuts what comes into lines.
class LineCutter {
 public:
  explicit LineCutter(const DaemonClient::OnLine& on_line) : on_line_(on_line) {}

  void take(std::string_view bytes) {
    for (std::size_t end = bytes.find('\n'); end != std::string_view::npos; end = bytes.find('\n')) {
      begun_ += bytes.substr(0, end);
      bytes.remove_prefix(end + 1);
      on_line_(begun_);
      begun_.clear();
    }
    begun_ += bytes;
  }
  void finish() const {
    if (!begun_.empty()) on_line_(begun_);
  }

 private:
  const DaemonClient::OnLine& on_line_;
  std::string begun_;
};

std::string reason(const error_code& error) {
  if (error == boost::asio::error::timed_out) return "the daemon does not answer";
  if (error == boost::asio::error::eof || error == http::error::end_of_stream ||
      error == http::error::partial_message || error == boost::asio::error::connection_reset ||
      error == boost::asio::error::broken_pipe) {
    return "the daemon ended before its answer was complete";
  }
  return error.message();
}

// Hands out the answer piece by piece, as it comes; its status at the end.
template <class Take>
unsigned read_answer(BlockingStream& stream, const Take& take, error_code& error) {
  boost::beast::flat_buffer buffer;
  http::response_parser<http::buffer_body> parser;
  parser.body_limit(std::numeric_limits<std::uint64_t>::max());
  http::read_header(stream, buffer, parser, error);
  const unsigned status = parser.get().result_int();
  std::array<char, 16 * 1024> piece{};
  while (!error && !parser.is_done()) {
    parser.get().body().data = piece.data();
    parser.get().body().size = piece.size();
    http::read_some(stream, buffer, parser, error);
    if (error == http::error::need_buffer) error = {};
    take(status, std::string_view(piece.data(), piece.size() - parser.get().body().size));
  }
  return status;
}

// 409: the daemon is of another version, until it is started anew.
ErrorCode code_of(unsigned status) {
  return status == 503 || status == 409 ? ErrorCode::busy : ErrorCode::internal;
}

// {"error":"…"}, or whatever else the daemon said.
std::string said(const std::string& body) {
  const nlohmann::json json = nlohmann::json::parse(body, nullptr, false);
  const bool has_error = json.is_object() && json.contains("error") && json["error"].is_string();
  return has_error ? json["error"].get<std::string>() : body;
}

bool is_missing(const std::string& path) {
  struct stat about {};
  return ::lstat(path.c_str(), &about) != 0 && (errno == ENOENT || errno == ENOTDIR);
}

}  // namespace

Result<std::optional<DaemonClient>> DaemonClient::connect(const std::string& socket_path) {
  if (is_missing(socket_path)) return std::optional<DaemonClient>();
  const Result<UnixAddress> address = UnixAddress::of(socket_path);
  if (!address.ok()) return address.error();
  FileDescriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!socket.open()) return errno_error(socket_path, errno);
  if (::connect(socket.number(), address->address(), address->size()) != 0) {
    if (errno == ECONNREFUSED || errno == ENOENT) return std::optional<DaemonClient>();
    return errno_error(socket_path, errno);
  }
  return std::optional<DaemonClient>(DaemonClient(std::move(socket), socket_path));
}

Status DaemonClient::post(std::string_view target, std::string_view json, const std::vector<int>& descriptors,
                          const OnLine& on_line) {
  std::string request = "POST " + std::string(target) + " HTTP/1.1\r\nHost: localhost\r\n";
  request += "Content-Type: application/json\r\nContent-Length: " + std::to_string(json.size()) + "\r\n";
  request += std::string(descriptor_count_header) + ": " + std::to_string(descriptors.size()) + "\r\n\r\n";
  request += json;
  LineCutter lines(on_line);
  std::string refusal;
  const Result<unsigned> status =
      ask(request, descriptors, no_end, [&](unsigned code, std::string_view piece) {
        if (code == 200) return lines.take(piece);
        refusal += piece.substr(0, max_refusal_size - refusal.size());
      });
  lines.finish();
  if (!status.ok()) return status.error();
  if (*status != 200) return Error{code_of(*status), path_ + ": " + said(refusal)};
  return {};
}

Result<DaemonClient::Answer> DaemonClient::get(std::string_view target, std::chrono::milliseconds patience) {
  const std::string request = "GET " + std::string(target) + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
  Answer answer;
  const Result<unsigned> status =
      ask(request, {}, patience, [&](unsigned /*code*/, std::string_view piece) { answer.body += piece; });
  if (!status.ok()) return status.error();
  answer.status = *status;
  return answer;
}

// Sends the request, and hands the answer to `take` piece by piece. A daemon that refuses does not always
// read to the end: then its answer says more than the failure to send.
Result<unsigned> DaemonClient::ask(std::string_view request, const std::vector<int>& descriptors,
                                   std::chrono::milliseconds patience,
                                   const std::function<void(unsigned, std::string_view)>& take) {
  BlockingStream stream(socket_.number(), patience);
  const error_code not_sent = stream.write(request, descriptors);
  const bool refused =
      not_sent == boost::asio::error::broken_pipe || not_sent == boost::asio::error::connection_reset;
  if (not_sent && !refused) return Error{ErrorCode::io, path_ + ": " + reason(not_sent)};
  error_code error;
  const unsigned status = read_answer(stream, take, error);
  if (error) return Error{ErrorCode::io, path_ + ": " + reason(error)};
  return status;
}

}  // namespace qdedup::cli
