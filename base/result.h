#pragma once

#include <optional>
#include <utility>
#include <variant>

#include "base/error.h"

namespace qdedup {

// A value of type T, or an Error instead. Reading the one that is absent is a defect.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}      // NOLINT: implicit on purpose
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}  // NOLINT: implicit on purpose

  [[nodiscard]] bool ok() const { return state_.index() == 0; }

  T& value() & { return std::get<0>(state_); }
  [[nodiscard]] const T& value() const& { return std::get<0>(state_); }
  T&& value() && { return std::move(std::get<0>(state_)); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  Error& error() & { return std::get<1>(state_); }
  [[nodiscard]] const Error& error() const& { return std::get<1>(state_); }
  Error&& error() && { return std::move(std::get<1>(state_)); }

 private:
  std::variant<T, Error> state_;
};

// Success, or an Error.
template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::move(error)) {}  // NOLINT: implicit on purpose

  [[nodiscard]] bool ok() const { return !error_.has_value(); }
  Error& error() & { return *error_; }
  [[nodiscard]] const Error& error() const& { return *error_; }
  Error&& error() && { return std::move(*error_); }

 private:
  std::optional<Error> error_;
};

using Status = Result<void>;

}  // namespace qdedup

// Returns the error of `expression` (a Status or a Result) from the calling function, if it has one.
#define QDEDUP_TRY(expression)                 \
  do {                                         \
    auto qdedup_status = (expression);         \
    if (!qdedup_status.ok()) {                 \
      return std::move(qdedup_status).error(); \
    }                                          \
  } while (false)

// Declares a variable with the value of `…`, a Result, or returns its error from the calling function:
// QDEDUP_ASSIGN_OR_RETURN(const Bank bank, Bank::open(path));
#define QDEDUP_ASSIGN_OR_RETURN(declaration, ...) \
  QDEDUP_ASSIGN_OR_RETURN_AS(QDEDUP_NAME_OF_LINE(__LINE__), declaration, __VA_ARGS__)
#define QDEDUP_ASSIGN_OR_RETURN_AS(result, declaration, ...) \
  auto result = (__VA_ARGS__);                               \
  if (!result.ok()) return std::move(result).error();        \
  declaration = *std::move(result)
#define QDEDUP_NAME_OF_LINE(line) QDEDUP_NAME_OF_LINE_AS(line)
#define QDEDUP_NAME_OF_LINE_AS(line) qdedup_result_##line
