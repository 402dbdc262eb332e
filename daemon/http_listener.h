#pragma once

#include <cstddef>
#include <list>
#include <memory>

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>

#include "base/file_descriptor.h"
#include "daemon/http_session.h"
#include "daemon/http_site.h"

namespace qdedup::daemon {

// Accepts the connections of one listening socket, up to a number. When they are that many, the one that has
// been waiting longest for its client's next request makes room; if none waits, the next client waits until
// one ends.
class HttpListener : public std::enable_shared_from_this<HttpListener> {
 public:
  // `socket` listens already.
  HttpListener(boost::asio::io_context& context, FileDescriptor socket, Peer::Kind kind,
               std::shared_ptr<const HttpSite> site);

  void start();
  void stop();  // and cuts all connections

  [[nodiscard]] std::size_t connections() const { return sessions_.size(); }

 private:
  void await_client();
  void accept();
  void begin_session(FileDescriptor client);
  void end_session(const HttpSession* session);
  bool make_room();
  void pause(int error);

  boost::asio::posix::stream_descriptor socket_;
  boost::asio::steady_timer timer_;
  const Peer::Kind kind_;
  const std::shared_ptr<const HttpSite> site_;
  std::list<std::shared_ptr<HttpSession>> sessions_;
  bool full_ = false;  // somebody waits for a session to end
  bool pausing_ = false;
};

}  // namespace qdedup::daemon
