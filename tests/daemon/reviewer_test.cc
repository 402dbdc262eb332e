#include "daemon/reviewer.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "cli/unix_user.h"

namespace qdedup::daemon {
namespace {

Request over_tcp(const std::string& authorization) {
  Request request;
  request.peer.kind = Peer::Kind::tcp;
  request.headers = {{"authorization", authorization}};
  return request;
}

TEST(Reviewer, IsTheNameThatCameWithTheToken) {
  EXPECT_EQ(reviewer_of(over_tcp("Basic YW5uOnRva2Vu")), "ann");
  EXPECT_EQ(reviewer_of(over_tcp("Bearer token")), "token");
}

TEST(Reviewer, OnTheUnixSocketIsItsUser) {
  Request request = over_tcp("Basic YW5uOnRva2Vu");
  request.peer = {Peer::Kind::unix_socket, ::geteuid()};
  EXPECT_EQ(reviewer_of(request), cli::unix_user());
}

}  // namespace
}  // namespace qdedup::daemon
