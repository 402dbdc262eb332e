#pragma once

#include "daemon/router.h"

namespace qdedup::daemon {

// The review page's files (web/), "/" being index.html. They are looked up anew each time they are used, by
// their ETag, and may load nothing from anywhere else (Content-Security-Policy).
void add_page_files(Router& router);

}  // namespace qdedup::daemon
