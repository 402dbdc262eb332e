// Open files that come with a request over the unix socket.
#include <array>
#include <cstddef>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/daemon/no_descriptors_left.h"
#include "tests/daemon/running_server.h"

namespace qdedup::daemon {
namespace {

// How many files this process has open.
std::size_t open_files() {
  const std::filesystem::directory_iterator all("/proc/self/fd");
  return static_cast<std::size_t>(std::distance(begin(all), end(all)));
}

std::string content_of(const FileDescriptor& file) {
  std::array<char, 100> bytes{};
  const ssize_t size = ::pread(file.number(), bytes.data(), bytes.size(), 0);
  return {bytes.data(), size < 0 ? 0 : static_cast<std::size_t>(size)};
}

bool closes_on_exec(const FileDescriptor& file) {
  return (::fcntl(file.number(), F_GETFD) & FD_CLOEXEC) != 0;
}

// POST /files answers with the contents of the files, one a line.
Router router_of_files() {
  Router router = sample_router();
  router.post("/files", [](const Request& request, const Responder& responder) {
    std::string answer;
    for (const FileDescriptor& file : request.descriptors) {
      answer += content_of(file) + (closes_on_exec(file) ? "\n" : " stays open\n");
    }
    responder.send(text_response(200, answer));
  });
  return router;
}

std::string request_with(std::size_t descriptors, std::string_view path = "/files") {
  return "POST " + std::string(path) +
         " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\nQdedup-Descriptors: " +
         std::to_string(descriptors) + "\r\n\r\n";
}

class DescriptorPassing : public testing::Test {
 protected:
  // Opens a new file with that content; closed with the test.
  int file(const std::string& content) {
    const std::string path = folder_.write("file", content);
    files_.emplace_back(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    std::filesystem::remove(path);
    return files_.back().number();
  }

  TemporaryFolder folder_;
  std::vector<FileDescriptor> files_;
};

TEST_F(DescriptorPassing, HandsFilesToTheHandlerInOrder) {
  RunningServer server(router_of_files());
  RawClient client = server.client();
  client.send_with(request_with(3), {file("a"), file("b"), file("c")});
  EXPECT_EQ(client.read_answer().body, "a\nb\nc\n");
}

TEST_F(DescriptorPassing, CollectsThemOverSeveralMessages) {
  RunningServer server(router_of_files());
  RawClient client = server.client();
  std::vector<int> numbers;
  std::string expected;
  for (int i = 0; i < 600; ++i) {
    numbers.push_back(file(std::to_string(i)));
    expected += std::to_string(i) + "\n";
  }
  const std::string request = request_with(600);
  client.send_with(request.substr(0, 1), {numbers.begin(), numbers.begin() + 250});
  client.send_with(request.substr(1, 1), {numbers.begin() + 250, numbers.begin() + 500});
  client.send_with(request.substr(2), {numbers.begin() + 500, numbers.end()});
  EXPECT_EQ(client.read_answer().body, expected);
}

TEST_F(DescriptorPassing, KeepsThoseOfRequestsSentAheadApart) {
  RunningServer server(router_of_files());
  RawClient client = server.client();
  client.send(request_with(0));
  client.send_with(request_with(1), {file("a")});
  client.send(request_with(0));
  client.send_with(request_with(2), {file("b"), file("c")});
  for (const char* expected : {"", "a\n", "", "b\nc\n"}) EXPECT_EQ(client.read_answer().body, expected);
}

TEST_F(DescriptorPassing, RefusesARequestThatLacksSome) {
  RunningServer server(router_of_files());
  RawClient client = server.client();
  client.send_with(request_with(2), {file("a")});
  EXPECT_EQ(client.read_answer().status, 400U);
  EXPECT_TRUE(client.at_end());
}

TEST_F(DescriptorPassing, RefusesWhatIsNoCount) {
  RunningServer server(router_of_files());
  for (const char* count : {"-1", "x", "", "1 2", "99999999999999999999", "1\r\nQdedup-Descriptors: 1"}) {
    RawClient client = server.client();
    client.send("POST /files HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\nQdedup-Descriptors: " +
                std::string(count) + "\r\n\r\n");
    EXPECT_EQ(client.read_answer().status, 400U) << count;
  }
}

TEST_F(DescriptorPassing, ClosesThoseThatNobodyCounts) {
  RunningServer server(router_of_files());
  RawClient client = server.client();
  const int number = file("a");
  client.send(request_with(0));
  client.read_answer();
  const std::size_t before = open_files();
  for (int i = 0; i < 10; ++i) {
    client.send_with(request_with(0), {number, number});
    EXPECT_EQ(client.read_answer().body, "");
  }
  EXPECT_EQ(server.connections(), 1U);
  EXPECT_EQ(open_files(), before);
}

TEST_F(DescriptorPassing, ClosesThoseOfARefusedRequest) {
  RunningServer server(router_of_files());
  const int number = file("a");
  const std::size_t before = open_files();
  for (const char* path : {"/nowhere", "/hello", "/../files"}) {
    RawClient client = server.client();
    client.send_with(request_with(2, path), {number, number});
    EXPECT_GE(client.read_answer().status, 400U);
    EXPECT_TRUE(client.at_end());
    EXPECT_EQ(open_files(), before + 2) << path;  // the two ends of the connection
  }
}

TEST_F(DescriptorPassing, ClosesThoseOfAClientThatGoes) {
  RunningServer server(router_of_files());
  const int number = file("a");
  const std::size_t before = open_files();
  for (int i = 0; i < 100; ++i) {
    RawClient client = server.client();
    client.send_with("POST /fi", {number, number});
  }
  RawClient last = server.client();
  last.send("GET /hello HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
  last.read_to_end();
  last.close();
  while (server.connections() > 0) continue;
  EXPECT_EQ(open_files(), before);
}

TEST_F(DescriptorPassing, IsBounded) {
  HttpLimits limits;
  limits.descriptors = 3;
  RunningServer server(router_of_files(), limits);
  RawClient other = server.client();
  other.send_with("POST", {file("x")});
  const int number = file("a");
  RawClient client = server.client();
  client.send_with(request_with(2), {number, number});
  EXPECT_EQ(client.read_answer().body, "a\na\n");
  client.send_with(request_with(4), {number, number, number, number});
  EXPECT_EQ(client.read_answer().status, 503U);
  EXPECT_TRUE(client.at_end());
  RawClient again = server.client();
  again.send_with(request_with(2), {number, number});
  EXPECT_EQ(again.read_answer().body, "a\na\n");
}

TEST_F(DescriptorPassing, SaysThatNoDescriptorsAreLeft) {
  if (!works_without_descriptors) GTEST_SKIP() << "the sanitizer needs descriptors of its own";
  RunningServer server(router_of_files());
  RawClient client = server.client();
  client.send(get_request("/hello"));
  EXPECT_EQ(client.read_answer().body, "hello");
  const int number = file("a");
  {
    const NoDescriptorsLeft none;
    client.send_with(request_with(1), {number});
    EXPECT_EQ(client.read_answer().status, 503U);
    EXPECT_TRUE(client.at_end());
  }
  RawClient again = server.client();
  again.send_with(request_with(1), {number});
  EXPECT_EQ(again.read_answer().body, "a\n");
}

}  // namespace
}  // namespace qdedup::daemon
