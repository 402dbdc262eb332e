#include "daemon/request_reader.h"

#include <limits>
#include <optional>
#include <utility>

#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>

namespace qdedup::daemon {
namespace {

namespace http = boost::beast::http;
using Parser = http::request_parser<http::string_body>;

std::string_view view(boost::beast::string_view text) { return {text.data(), text.size()}; }

ReadFailure failure_of(const boost::system::error_code& error) {
  if (error == http::error::end_of_stream) return {};
  if (error == http::error::header_limit || error == http::error::buffer_overflow) {
    return {431, "the header is too long"};
  }
  if (error == http::error::body_limit) return {413, "the body is too long"};
  if (error == http::error::partial_message) return {400, "the request ends early"};
  if (error.category() == make_error_code(http::error::bad_method).category()) {
    return {400, "not an HTTP/1.1 request"};
  }
  return {};
}

void report(const RequestReader::Done& done, const boost::system::error_code& error) {
  if (!error) return done(nullptr);
  const ReadFailure failure = failure_of(error);
  done(&failure);
}

}  // namespace

std::vector<std::string_view> RequestHead::all(std::string_view name) const {
  std::vector<std::string_view> values;
  for (const Header& header : headers) {
    if (equal_in_any_case(header.first, name)) values.emplace_back(header.second);
  }
  return values;
}

struct RequestReader::Parts {
  Parts(Connection& connection, std::size_t header_bytes)
      : stream(connection), header_limit(header_bytes), buffer(2 * header_bytes) {
    buffer.reserve(2 * header_bytes);
  }

  Connection& stream;
  std::size_t header_limit;
  boost::beast::flat_buffer buffer;
  std::optional<Parser> parser;
};

RequestReader::RequestReader(Connection& stream, std::size_t header_bytes)
    : parts_(std::make_unique<Parts>(stream, header_bytes)) {}

RequestReader::~RequestReader() = default;

bool RequestReader::has_bytes() const { return parts_->buffer.size() > 0; }

void RequestReader::read_head(Done done) {
  Parser& parser = parts_->parser.emplace();
  parser.header_limit(static_cast<std::uint32_t>(parts_->header_limit));
  parser.body_limit(std::numeric_limits<std::uint64_t>::max());  // not yet known; boost::none would be none
  http::async_read_header(parts_->stream, parts_->buffer, parser,
                          [done = std::move(done)](const boost::system::error_code& error,
                                                   std::size_t /*size*/) { report(done, error); });
}

RequestHead RequestReader::head() const {
  const Parser& parser = *parts_->parser;
  RequestHead head;
  for (const auto& field : parser.get()) {
    head.headers.emplace_back(view(field.name_string()), view(field.value()));
  }
  head.method = view(parser.get().method_string());
  head.target = view(parser.get().target());
  head.http_1_1 = parser.get().version() == 11;
  head.keep_alive = parser.get().keep_alive();
  head.expects_continue = equal_in_any_case(view(parser.get()[http::field::expect]), "100-continue");
  head.chunked = parser.chunked();
  head.has_body = !parser.is_done();
  head.content_length = parser.content_length().value_or(0);
  return head;
}

void RequestReader::read_body(std::size_t limit, Done done) {
  parts_->parser->body_limit(limit);
  http::async_read(parts_->stream, parts_->buffer, *parts_->parser,
                   [done = std::move(done)](const boost::system::error_code& error, std::size_t /*size*/) {
                     report(done, error);
                   });
}

std::string RequestReader::take_body() { return std::move(parts_->parser->get().body()); }

}  // namespace qdedup::daemon
