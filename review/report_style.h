#pragma once

#include "review/html.h"

namespace qdedup::review {

// The head of a report that belongs together: the Content-Security-Policy, which forbids everything but the
// one style element by its hash, and that style element.
void append_policy_and_style(Html& html);

}  // namespace qdedup::review
