// People who sign in over TCP, and their sessions.
#include "daemon/sign_in.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "daemon/session_api.h"
#include "tests/daemon/running_server.h"
#include "tests/support/stopped_clock.h"

namespace qdedup::daemon {
namespace {

using std::chrono::hours;
using std::chrono::seconds;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr const char* ann_key = "k7m2p-9xq4d-00000-zzzzz-abcde";
constexpr const char* bob_key = "11111-22222-33333-44444-55555";

std::string with_hash(const std::string& name, const std::string& key) {
  return name + ":" + *config::hash_of(key) + "\n";
}

// A file of reviewers and who signs in by it.
class SignedIn : public testing::Test {
 protected:
  SignedIn() {
    write(ann_ + bob_);
    auto opened = SignIn::open(file_, clock_, [this](const std::string& said) { reports_.push_back(said); });
    EXPECT_TRUE(opened.ok()) << opened.error().message;
    sign_in_ = *opened;
  }

  // Replaces the file, as `qdedup reviewer` does.
  void write(const std::string& content, mode_t mode = 0600) {
    const std::string draft = folder_.write("draft", content);
    ASSERT_EQ(::chmod(draft.c_str(), mode), 0);
    std::filesystem::rename(draft, file_);
  }

  std::string begin(const std::string& name, const std::string& key) {
    const auto id = sign_in_->begin(name, key);
    return id.ok() ? id->value_or("(wrong)") : "(trouble)";
  }

  std::string reviewer_of(const std::string& id, bool is_attended = true) {
    const auto reviewer = sign_in_->reviewer_of(id, is_attended);
    return reviewer.ok() ? reviewer->value_or("(nobody)") : "(trouble)";
  }

  const std::string ann_ = with_hash("ann", ann_key);
  const std::string bob_ = with_hash("bob", bob_key);
  TemporaryFolder folder_;
  const std::string file_ = folder_ / "reviewers";
  StoppedClock clock_;
  std::vector<std::string> reports_;
  std::shared_ptr<SignIn> sign_in_;
};

TEST_F(SignedIn, AreNoneOnceAnotherFileCounts) {
  const std::string cookie = "qdedup=" + begin("ann", ann_key);
  std::optional<Authority> authority = *Authority::create({{"localhost"}, "0123456789abcdef", "", sign_in_});
  const Authority::Sender ann = authority->judge({"localhost"}, {}, {cookie});
  EXPECT_EQ(ann.by_now(), Verdict::granted);
  authority.reset();
  sign_in_.reset();
  EXPECT_EQ(ann.by_now(), Verdict::unauthorised);
}

TEST_F(SignedIn, AreThoseWithTheirOwnKey) {
  const std::string id = begin("ann", ann_key);
  EXPECT_THAT(id, testing::MatchesRegex("[0-9a-z]{60}"));
  EXPECT_EQ(reviewer_of(id), "ann");
  EXPECT_EQ(begin("ann", bob_key), "(wrong)");
  EXPECT_EQ(begin("carol", ann_key), "(wrong)");
  EXPECT_EQ(begin("Ann", ann_key), "(wrong)");
  EXPECT_EQ(begin("ann", ""), "(wrong)");
  EXPECT_EQ(begin("", ""), "(wrong)");
  EXPECT_EQ(sign_in_->sessions(), 1U);
}

TEST_F(SignedIn, AreKnownByTheWholeIdAlone) {
  const std::string id = begin("ann", ann_key);
  std::string other = id;
  other.back() = other.back() == '0' ? '1' : '0';
  for (const std::string& wrong :
       {std::string(), id.substr(0, 8), id.substr(0, 59), id + "0", other, "00000000" + id.substr(8)}) {
    EXPECT_EQ(reviewer_of(wrong), "(nobody)") << wrong;
    sign_in_->end(wrong);
  }
  EXPECT_EQ(reviewer_of(id), "ann");
}

TEST_F(SignedIn, AreOutWhenTheyEndTheirSession) {
  const std::string first = begin("ann", ann_key);
  const std::string second = begin("ann", ann_key);
  sign_in_->end(first);
  EXPECT_EQ(reviewer_of(first), "(nobody)");
  EXPECT_EQ(reviewer_of(second), "ann");
}

TEST_F(SignedIn, AreOutAfterAWhileWithoutARequest) {
  const std::string id = begin("ann", ann_key);
  clock_.steady_time += SignIn::idle;
  EXPECT_EQ(reviewer_of(id), "ann");
  clock_.steady_time += SignIn::idle;
  EXPECT_EQ(reviewer_of(id, false), "ann");
  clock_.steady_time += seconds(1);
  EXPECT_EQ(reviewer_of(id), "(nobody)");
}

TEST_F(SignedIn, AreOutAfterALifetimeHoweverBusy) {
  const std::string id = begin("ann", ann_key);
  for (auto passed = hours(0); passed < SignIn::lifetime; passed += hours(12)) {
    EXPECT_EQ(reviewer_of(id), "ann") << passed.count();
    clock_.steady_time += hours(12);
  }
  EXPECT_EQ(reviewer_of(id), "ann");
  clock_.steady_time += seconds(1);
  EXPECT_EQ(reviewer_of(id), "(nobody)");
}

TEST_F(SignedIn, AreOutWhenTheyAreRemoved) {
  const std::string ann = begin("ann", ann_key);
  const std::string bob = begin("bob", bob_key);
  write(bob_);
  EXPECT_EQ(reviewer_of(ann), "(nobody)");
  EXPECT_EQ(reviewer_of(bob), "bob");
  EXPECT_EQ(begin("ann", ann_key), "(wrong)");
}

TEST_F(SignedIn, AreOutWhenTheyGetAnotherKey) {
  const std::string ann = begin("ann", ann_key);
  write(with_hash("ann", bob_key) + bob_);
  EXPECT_EQ(reviewer_of(ann), "(nobody)");
  EXPECT_EQ(begin("ann", ann_key), "(wrong)");
  EXPECT_EQ(reviewer_of(begin("ann", bob_key)), "ann");
}

TEST_F(SignedIn, AreNobodyWhileTheFileCannotBeUsed) {
  const std::string ann = begin("ann", ann_key);
  write(ann_ + "nonsense\n");
  EXPECT_EQ(reviewer_of(ann), "(trouble)");
  EXPECT_EQ(begin("ann", ann_key), "(trouble)");
  EXPECT_THAT(reports_, testing::ElementsAre(HasSubstr("reviewers: line 2")));
  write(ann_, 0644);
  EXPECT_EQ(reviewer_of(ann), "(trouble)");
  std::filesystem::remove(file_);
  EXPECT_EQ(reviewer_of(ann), "(trouble)");
  EXPECT_EQ(reviewer_of(ann), "(trouble)");
  EXPECT_EQ(reports_.size(), 3U);
  write(ann_);
  EXPECT_EQ(reviewer_of(ann), "ann");
}

TEST_F(SignedIn, HaveABoundedNumberOfSessions) {
  std::vector<std::string> ids;
  const std::string bob = begin("bob", bob_key);
  for (std::size_t i = 0; i < SignIn::sessions_each; ++i) {
    clock_.steady_time += seconds(1);
    ids.push_back(begin("ann", ann_key));
  }
  clock_.steady_time += seconds(1);
  EXPECT_EQ(reviewer_of(ids[0]), "ann");
  for (int i = 0; i < 100; ++i) EXPECT_EQ(begin("ann", bob_key), "(wrong)");
  EXPECT_EQ(reviewer_of(ids[1], false), "ann");
  ids.push_back(begin("ann", ann_key));
  EXPECT_EQ(reviewer_of(ids[0]), "ann");
  EXPECT_EQ(reviewer_of(ids[1]), "(nobody)");
  EXPECT_EQ(reviewer_of(bob), "bob");
  EXPECT_EQ(sign_in_->sessions(), SignIn::sessions_each + 1);
  clock_.steady_time += SignIn::lifetime + seconds(1);
  begin("bob", bob_key);
  EXPECT_EQ(sign_in_->sessions(), 1U);
}

TEST_F(SignedIn, NeedAFileToBeginWith) {
  std::filesystem::remove(file_);
  EXPECT_EQ(SignIn::open(file_, clock_, [](const std::string&) {}).error().code, ErrorCode::no_input);
}

TEST(SessionCookie, IsNamedByPortAndScheme) {
  EXPECT_EQ(session_cookie("http://127.0.0.1:9631"), "qdedup-9631");
  EXPECT_EQ(session_cookie("http://[::1]:9631"), "qdedup-9631");
  EXPECT_EQ(session_cookie("http://[::1]"), "qdedup");
  EXPECT_EQ(session_cookie("http://localhost"), "qdedup");
  EXPECT_EQ(session_cookie("https://dedup.example"), "__Host-qdedup");
  EXPECT_EQ(session_cookie("https://dedup.example:8443"), "__Host-qdedup-8443");
}

TEST(SessionCookie, StaysWithItsSite) {
  EXPECT_EQ(set_session_cookie("http://localhost", "abc"), "qdedup=abc; Path=/; HttpOnly; SameSite=Strict");
  EXPECT_EQ(set_session_cookie("https://a.example", "abc"),
            "__Host-qdedup=abc; Path=/; HttpOnly; SameSite=Strict; Secure");
  EXPECT_EQ(set_session_cookie("http://localhost", ""),
            "qdedup=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0");
}

TEST(Cookie, IsFoundAmongOthers) {
  EXPECT_EQ(cookie_named({"qdedup=abc"}, "qdedup"), "abc");
  EXPECT_EQ(cookie_named({"a=b; qdedup=a=c;x"}, "qdedup"), "a=c");
  EXPECT_EQ(cookie_named({"a=b", "c=d;qdedup="}, "qdedup"), "");
}

TEST(Cookie, IsOneAndOfThatName) {
  for (const char* header : {"", ";", "qdedup", "Qdedup=a", "xqdedup=a", "qdedup-9631=a", "a=qdedup=b",
                             "qdedup =a", "qdedup=a; qdedup=b", "qdedup=a;qdedup=a"}) {
    EXPECT_EQ(cookie_named({header}, "qdedup"), std::nullopt) << header;
  }
  EXPECT_EQ(cookie_named({"qdedup=a", "qdedup=a"}, "qdedup"), std::nullopt);
  EXPECT_EQ(cookie_named({}, "qdedup"), std::nullopt);
}

constexpr const char* bearer_field = "Authorization: Bearer 0123456789abcdef\r\n";
constexpr const char* json_field = "Content-Type: application/json\r\n";
constexpr const char* own_origin = "Origin: http://localhost\r\n";
constexpr const char* public_host = "dedup.example";
constexpr const char* public_origin = "Origin: https://dedup.example\r\n";

// The same over TCP, with a page that everybody may have, and routes that say who asks.
class HttpSignIn : public SignedIn {
 protected:
  HttpSignIn() {
    server_.on_thread([this](HttpServer& server) {
      auto authority =
          Authority::create({{"localhost"}, "0123456789abcdef", "https://dedup.example", sign_in_});
      port_ = *server.listen_tcp({"127.0.0.1", 0}, *std::move(authority));
    });
  }

  Router routes() {
    Router router;
    const auto who = [](const Request& request, const Responder& responder) {
      responder->send(text_response(200, "for " + request.reviewer));
    };
    router.get("/", who, {.is_open = true});
    router.get("/who", who);
    router.get("/watch", who, {.is_attended = false});
    router.post("/change", who, {.json = true});
    add_session_routes(router, [this] { return SignInPlace{sign_in_, "https://dedup.example"}; });
    return router;
  }

  RawAnswer send(const std::string& method, const std::string& path, const std::string& headers,
                 const std::string& body = "", const std::string& host = "localhost") {
    RawClient client = RawClient::to_tcp(port_);
    client.send(method + " " + path + " HTTP/1.1\r\nHost: " + host + "\r\n" + headers +
                (method == "POST" ? "Content-Length: " + std::to_string(body.size()) + "\r\n" : "") + "\r\n" +
                body);
    return client.read_answer();
  }

  RawAnswer sign_in(const std::string& name, const std::string& key, const std::string& from = own_origin,
                    const std::string& host = "localhost") {
    return send("POST", "/api/session", json_field + from,
                R"({"name":")" + name + R"(","key":")" + key + R"("})", host);
  }

  // The header that sends the cookie of an answer back.
  static std::string cookie_of(const RawAnswer& answer) {
    const std::string& set = answer.headers.at("set-cookie");
    return "Cookie: theme=dark; " + set.substr(0, set.find(';')) + "\r\n";
  }

  std::uint16_t port_ = 0;
  RunningServer server_{routes()};
};

TEST_F(HttpSignIn, LetsAReviewerIn) {
  const RawAnswer answer = sign_in("ann", ann_key);
  EXPECT_EQ(answer.status, 200U);
  EXPECT_THAT(answer.headers.at("set-cookie"),
              testing::MatchesRegex("qdedup=[0-9a-z]{60}; Path=/; HttpOnly; SameSite=Strict"));
  const std::string cookie = cookie_of(answer);
  EXPECT_EQ(send("GET", "/who", cookie).body, "for ann");
  EXPECT_EQ(send("POST", "/change", cookie + json_field + own_origin, "{}").body, "for ann");
  EXPECT_EQ(send("GET", "/who", cookie_of(sign_in("bob", bob_key))).body, "for bob");
  EXPECT_EQ(send("GET", "/who", cookie).body, "for ann");
}

TEST_F(HttpSignIn, LetsNobodyElseIn) {
  for (const auto& [name, key] :
       {std::pair{"ann", bob_key}, {"carol", ann_key}, {"ann", ""}, {"", ann_key}}) {
    const RawAnswer answer = sign_in(name, key);
    EXPECT_EQ(answer.status, 401U);
    EXPECT_EQ(answer.body, "{\"error\":\"the name or the key is wrong\"}\n");
    EXPECT_EQ(answer.headers.count("set-cookie"), 0U);
  }
  for (const char* body : {"", "[]", "{}", "null", R"({"name":"ann"})", R"({"name":1,"key":2})",
                           R"({"name":"ann","key":["a"]})"}) {
    EXPECT_EQ(send("POST", "/api/session", std::string(json_field) + own_origin, body).status, 400U) << body;
  }
  EXPECT_EQ(send("POST", "/api/session", std::string(json_field) + own_origin, std::string(5000, ' ')).status,
            413U);
}

TEST_F(HttpSignIn, GivesThePageAloneToThoseOutside) {
  EXPECT_EQ(send("GET", "/", "").body, "for ");
  for (const std::string path : {"/who", "/watch", "/nowhere", "/../who"}) {
    for (const std::string headers : {"", "Cookie: qdedup=abc\r\n", "Authorization: Bearer wrong\r\n",
                                      "Authorization: Basic YW5uOjAxMjM0NTY3ODlhYmNkZWY=\r\n"}) {
      const RawAnswer answer = send("GET", path, headers);
      EXPECT_EQ(answer.status, 401U) << path << headers;
      EXPECT_EQ(answer.body, "{\"error\":\"nobody is signed in\",\"sign_in\":true}\n");
      EXPECT_EQ(answer.headers.at("www-authenticate"), "Bearer");
    }
  }
  EXPECT_EQ(send("GET", "/", "", "", "evil.example").status, 421U);
}

TEST_F(HttpSignIn, LeavesTheTokenToPrograms) {
  EXPECT_EQ(send("GET", "/who", bearer_field).body, "for ");
  EXPECT_EQ(send("POST", "/change", std::string(bearer_field) + json_field, "{}").body, "for ");
  const std::string cookie = cookie_of(sign_in("ann", ann_key));
  EXPECT_EQ(send("GET", "/who", bearer_field + cookie).body, "for ");
  EXPECT_EQ(send("GET", "/who", "Authorization: Bearer wrong\r\n" + cookie).status, 401U);
}

// A proxy in front may ask for a password of its own, which browsers then send to us as well.
TEST_F(HttpSignIn, TakesNobodyForWhomAProxyLetIn) {
  const std::string cookie = cookie_of(sign_in("ann", ann_key));
  for (const std::string of_proxy :
       {"Authorization: Basic Ym9iOnB3\r\n", "Authorization: Basic Ym9iOjAxMjM0NTY3ODlhYmNkZWY=\r\n",
        "Authorization: Negotiate abc\r\n", "Authorization: Basic not base64\r\n"}) {
    EXPECT_EQ(send("GET", "/who", of_proxy + cookie).body, "for ann") << of_proxy;
    EXPECT_EQ(send("POST", "/change", of_proxy + cookie + json_field + own_origin, "{}").body, "for ann");
    EXPECT_EQ(send("POST", "/change", of_proxy + cookie + json_field, "{}").status, 403U) << of_proxy;
    EXPECT_EQ(sign_in("bob", bob_key, of_proxy + own_origin).status, 200U) << of_proxy;
    EXPECT_EQ(send("GET", "/who", of_proxy).status, 401U) << of_proxy;
    EXPECT_EQ(send("GET", "/who", of_proxy + bearer_field).body, "for ") << of_proxy;
    EXPECT_EQ(send("POST", "/change", of_proxy + bearer_field + json_field, "{}").body, "for ") << of_proxy;
    EXPECT_EQ(send("GET", "/who", of_proxy + cookie + "Authorization: Bearer wrong\r\n").status, 401U);
  }
}

TEST_F(HttpSignIn, EndsWithSigningOut) {
  const std::string cookie = cookie_of(sign_in("ann", ann_key));
  EXPECT_EQ(send("POST", "/api/session/end", cookie + json_field, "{}").status, 403U);
  const RawAnswer answer = send("POST", "/api/session/end", cookie + json_field + own_origin, "{}");
  EXPECT_EQ(answer.status, 200U);
  EXPECT_EQ(answer.headers.at("set-cookie"), "qdedup=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0");
  EXPECT_EQ(send("GET", "/who", cookie).status, 401U);
  EXPECT_EQ(send("POST", "/api/session/end", std::string(json_field) + own_origin, "{}").status, 200U);
}

TEST_F(HttpSignIn, EndsWhenNobodyAsksForAnything) {
  const std::string cookie = cookie_of(sign_in("ann", ann_key));
  const auto pass = [this](seconds time) {
    server_.on_thread([this, time](HttpServer& /*server*/) { clock_.steady_time += time; });
  };
  pass(SignIn::idle);
  EXPECT_EQ(send("GET", "/watch", cookie).status, 200U);
  EXPECT_EQ(send("GET", "/who", cookie).status, 200U);
  pass(SignIn::idle);
  EXPECT_EQ(send("GET", "/watch", cookie).status, 200U);
  pass(seconds(1));
  EXPECT_EQ(send("GET", "/watch", cookie).status, 401U);
}

TEST_F(HttpSignIn, EndsWhenTheReviewerIsRemoved) {
  RawClient client = RawClient::to_tcp(port_);
  const std::string request =
      "GET /who HTTP/1.1\r\nHost: localhost\r\n" + cookie_of(sign_in("ann", ann_key)) + "\r\n";
  client.send(request);
  EXPECT_EQ(client.read_answer().status, 200U);
  write(bob_);
  client.send(request);
  EXPECT_EQ(client.read_answer().status, 401U);
}

TEST_F(HttpSignIn, EndsBeforeABodyThatComesLate) {
  RawClient client = RawClient::to_tcp(port_);
  client.send("POST /change HTTP/1.1\r\nHost: localhost\r\n" + cookie_of(sign_in("ann", ann_key)) +
              json_field + own_origin + "Expect: 100-continue\r\nContent-Length: 2\r\n\r\n");
  EXPECT_EQ(client.read_until("\r\n\r\n"), "HTTP/1.1 100 Continue\r\n\r\n");
  write(bob_);
  client.send("{}");
  EXPECT_EQ(client.read_answer().status, 401U);
}

TEST_F(HttpSignIn, IsOutOfOrderWhileTheFileCannotBeUsed) {
  const std::string cookie = cookie_of(sign_in("ann", ann_key));
  write("nonsense\n");
  EXPECT_EQ(send("GET", "/who", cookie).status, 503U);
  EXPECT_EQ(sign_in("ann", ann_key).status, 503U);
  EXPECT_EQ(send("GET", "/", cookie).status, 200U);
  EXPECT_EQ(send("GET", "/who", bearer_field).status, 200U);
}

TEST_F(HttpSignIn, IsNothingThatAnotherSiteCanUse) {
  const std::string cookie = cookie_of(sign_in("ann", ann_key));
  for (const std::string from :
       {"", "Origin: http://evil.example\r\n", "Origin: null\r\n", "Origin: https://localhost\r\n",
        "Origin: https://dedup.example\r\n", "Origin: http://localhost\r\nSec-Fetch-Site: same-site\r\n"}) {
    EXPECT_EQ(send("POST", "/change", cookie + json_field + from, "{}").status, 403U) << from;
    EXPECT_EQ(sign_in("ann", ann_key, from).status, 403U) << from;
    EXPECT_EQ(send("POST", "/api/session/end", cookie + json_field + from, "{}").status, 403U) << from;
  }
  EXPECT_EQ(send("POST", "/change", cookie + own_origin, "{}").status, 415U);
  EXPECT_EQ(send("GET", "/who", cookie + "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: cors\r\n").status,
            403U);
  EXPECT_EQ(send("GET", "/who", cookie).status, 200U);
}

TEST_F(HttpSignIn, WorksBehindAProxyThatSpeaksHttps) {
  const RawAnswer answer = sign_in("ann", ann_key, public_origin, public_host);
  EXPECT_EQ(answer.status, 200U);
  EXPECT_THAT(answer.headers.at("set-cookie"),
              AllOf(testing::StartsWith("__Host-qdedup="), testing::EndsWith("; SameSite=Strict; Secure"),
                    Not(HasSubstr("Domain"))));
  const std::string cookie = cookie_of(answer);
  EXPECT_EQ(send("POST", "/change", cookie + json_field + public_origin, "{}", public_host).body, "for ann");
  EXPECT_EQ(
      send("POST", "/change", cookie + json_field + "Origin: http://dedup.example\r\n", "{}", public_host)
          .status,
      403U);
  EXPECT_EQ(send("GET", "/who", cookie, "", "Dedup.Example").body, "for ann");
  EXPECT_EQ(send("GET", "/who", cookie, "", "dedup.example:9631").status, 421U);
  // What a proxy adds about its client is not believed, and the cookie of one page is none of the other's.
  EXPECT_EQ(send("GET", "/who",
                 cookie + "X-Forwarded-Host: dedup.example\r\nForwarded: host=dedup.example;proto=https\r\n")
                .status,
            401U);
}

TEST_F(HttpSignIn, IsNotOnTheUnixSocket) {
  RawClient client = server_.client();
  client.send("POST /api/session HTTP/1.1\r\nHost: localhost\r\n" + std::string(json_field) +
              "Content-Length: 2\r\n\r\n{}");
  EXPECT_EQ(client.read_answer().status, 404U);
}

TEST(WithoutReviewers, NobodySignsIn) {
  Router router = sample_router();
  add_session_routes(router, [] { return SignInPlace{}; });
  RunningServer server{std::move(router)};
  RawClient client = RawClient::to_tcp(server.listen_tcp());
  client.send("POST /api/session HTTP/1.1\r\nHost: localhost\r\n" + std::string(json_field) + bearer_field +
              "Content-Length: 2\r\n\r\n{}");
  EXPECT_EQ(client.read_answer().status, 404U);
}

}  // namespace
}  // namespace qdedup::daemon
