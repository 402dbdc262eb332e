#include "daemon/page_files.h"

#include <string>

#include "web/web_files.h"

namespace qdedup::daemon {
namespace {

constexpr const char* policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

bool is_known(const Request& request, std::string_view tag) {
  const std::string* known = request.header("If-None-Match");
  return known != nullptr && *known == tag;
}

Response file_response(const web::WebFile& file, const Request& request) {
  const bool known = is_known(request, file.tag);
  return {.status = known ? 304U : 200U,
          .content_type = std::string(file.type),
          .body = known ? std::string() : std::string(file.content),
          .headers = {{"ETag", std::string(file.tag)},
                      {"Cache-Control", "no-cache"},
                      {"Content-Security-Policy", policy},
                      {"Referrer-Policy", "no-referrer"},
                      {"Cross-Origin-Opener-Policy", "same-origin"},
                      {"Cross-Origin-Resource-Policy", "same-origin"}}};
}

}  // namespace

void add_page_files(Router& router) {
  for (const web::WebFile& file : web::web_files()) {
    const Handler answer = [&file](const Request& request, const Responder& responder) {
      responder.send(file_response(file, request));
    };
    router.get("/" + std::string(file.name), answer);
    if (file.name == "index.html") router.get("/", answer);
  }
}

}  // namespace qdedup::daemon
