#include "daemon/responder.h"

#include <utility>

#include "daemon/exchange.h"

namespace qdedup::daemon {

bool LineStream::write(std::string_view line) { return exchange_->write(line); }

void LineStream::offer(std::string_view line) { exchange_->offer(line); }

void LineStream::finish() { exchange_->finish(); }

bool LineStream::gone() const { return exchange_->gone(); }

void Responder::send(Response response) const { exchange_->send(std::move(response)); }

LineStream Responder::stream(std::string content_type) const {
  exchange_->begin_stream(std::move(content_type));
  return LineStream(exchange_);
}

bool Responder::gone() const { return exchange_->gone(); }

void Responder::on_gone(std::function<void()> callback) const { exchange_->on_gone(std::move(callback)); }

}  // namespace qdedup::daemon
