#pragma once

#include <string_view>

namespace qdedup {

// Whether `host` has the form of a Host header (RFC 9110): a name or an address, and perhaps a port.
bool is_host(std::string_view host);

// The name or the address in it, without the port.
std::string_view name_in_host(std::string_view host);

}  // namespace qdedup
