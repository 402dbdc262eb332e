#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

namespace qdedup::db {

// Why a commit was refused, for error messages.
inline constexpr std::string_view lease_ended =
    "the daemon has ended this command's lease, or itself; what was stored before stays, so run it again";

// How this process may change the state while another one, the daemon, holds it.
class WritePermission {
 public:
  WritePermission() = default;
  WritePermission(const WritePermission&) = delete;
  WritePermission& operator=(const WritePermission&) = delete;
  virtual ~WritePermission() = default;

  // Waits for its turn: while the result lives, this process holds the state's lock.
  virtual Result<std::shared_ptr<void>> take_turn() = 0;

  // Who writes, as the other process knows it from the kernel: this one may be in a namespace of its own.
  [[nodiscard]] virtual std::string user() const = 0;

  // Asked before each commit, which fails with ErrorCode::busy when the permission was withdrawn.
  [[nodiscard]] virtual bool stands() = 0;
};

// The turn that `permission` gives; without one none is needed.
inline Result<std::shared_ptr<void>> turn_of(WritePermission* permission) {
  return permission == nullptr ? std::shared_ptr<void>() : permission->take_turn();
}

}  // namespace qdedup::db
