#include "daemon/answering.h"

#include <exception>
#include <string>
#include <utility>

#include <boost/asio/post.hpp>

#include "daemon/response.h"

namespace qdedup::daemon {

void answer_on(boost::asio::thread_pool& readers, const Responder& responder, std::function<void()> answer) {
  boost::asio::post(readers, [responder, answer = std::move(answer)] {
    if (responder.gone()) return;
    try {
      answer();
    } catch (const std::exception& exception) {
      responder.send(error_response(500, std::string("internal error: ") + exception.what()));
    }
  });
}

}  // namespace qdedup::daemon
