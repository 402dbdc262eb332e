#include "config/listen_address.h"

#include <gtest/gtest.h>

namespace qdedup::config {
namespace {

TEST(ListenAddress, IsLoopbackWithAPort) {
  struct Good {
    const char* text;
    const char* address;
    std::uint16_t port;
  };
  for (const auto& [text, address, port] :
       {Good{"127.0.0.1:9631", "127.0.0.1", 9631}, Good{"127.8.0.9:1", "127.8.0.9", 1},
        Good{"[::1]:65535", "::1", 65535}}) {
    const Result<ListenAddress> found = parse_listen_address(text);
    ASSERT_TRUE(found.ok()) << text;
    EXPECT_EQ(found->address, address);
    EXPECT_EQ(found->port, port);
  }
}

class NoListenAddress : public testing::TestWithParam<const char*> {};

TEST_P(NoListenAddress, IsRefused) {
  const Result<ListenAddress> found = parse_listen_address(GetParam());
  ASSERT_FALSE(found.ok());
  EXPECT_EQ(found.error().code, ErrorCode::config);
}

INSTANTIATE_TEST_SUITE_P(ListenAddress, NoListenAddress,
                         testing::Values("", ":", "9631", ":9631", "127.0.0.1", "127.0.0.1:", "127.0.0.1:0",
                                         "127.0.0.1:65536", "127.0.0.1:09631", "127.0.0.1:+80",
                                         "127.0.0.1:80 ", "0.0.0.0:9631", "192.168.1.1:9631",
                                         "128.0.0.1:9631", "localhost:9631", "::1:9631", "[::1]", "[::1]9631",
                                         "[::]:9631", "[127.0.0.1]:9631", "[::ffff:127.0.0.1]:9631",
                                         "[::1:9631", "127.1:9631", "127.0.0.1\n:9631"));

}  // namespace
}  // namespace qdedup::config
