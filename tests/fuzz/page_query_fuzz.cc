// What browsers send to the page: credentials, filters, places.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "daemon/authority.h"
#include "daemon/http_message.h"
#include "page/request.h"

namespace {

void check(bool holds) {
  if (!holds) std::abort();
}

void query(std::string_view bytes) {
  const auto target = qdedup::daemon::RequestTarget::parse(bytes);
  if (!target) return;
  const auto filter = qdedup::page::filter_of(target->query);
  if (filter.ok()) {
    check(filter->statuses.size() == 1);
    check(filter->min_similarity >= 0 && filter->min_similarity <= filter->max_similarity);
    check(filter->max_similarity <= 100);
    check(!filter->iteration || *filter->iteration > 0);
  }
  (void)qdedup::page::order_of(target->query).ok();
  const auto place = qdedup::page::place_of(target->query, "after");
  check(!place.ok() || (place->keeper >= 0 && place->question >= 0));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (const auto credentials = qdedup::daemon::parse_credentials(bytes)) {
    check(credentials->user.size() <= 64);
    check(credentials->scheme == qdedup::daemon::Credentials::Scheme::basic || credentials->user.empty());
  }
  query(bytes);
  return 0;
}
