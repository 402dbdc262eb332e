#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace qdedup::cli {

// Whether the messages of this environment are in Chinese: the first of LC_ALL, LC_MESSAGES and LANG that is
// not empty is a UTF-8 locale, and the first language of LANGUAGE that there is, or else the locale's own, is
// Chinese. `variable` gives an environment variable, or null.
bool wants_chinese(const std::function<const char*(const char*)>& variable);

// A name or a text of others within a message: Verbatim{escaped(path)} in an output that is translated keeps
// it from being taken for words of the program.
struct Verbatim {
  std::string_view text;
};
std::ostream& operator<<(std::ostream& out, const Verbatim& value);

// Lets `out` mark what is Verbatim, for Translation::messages().
void mark_verbatim(std::ostream& out);

// The files of cli/data. An entry is a line of English and a line of Chinese; blank lines and those that
// begin with # are between entries.
extern const std::string_view chinese_terms;
extern const std::string_view chinese_messages;

// Chinese for what the program says. It knows the English of each message as a pattern, with places for the
// values, which stay byte for byte; what it does not know stays English. See cli/data/zh_messages.txt.
class Translation {
 public:
  // With the catalogues that are built in. What a message repeats of `arguments`, those of the command line,
  // is taken for a value, whatever it looks like.
  explicit Translation(const std::vector<std::string>& arguments);

  // `text` as a whole: a help text, or a step that progress is shown of.
  [[nodiscard]] std::string term(std::string_view text) const;

  // A message of one line. What is longer than 8,192 bytes, values that are marked or arguments apart, or
  // takes too many attempts, stays as it is, so that hostile values cost milliseconds.
  [[nodiscard]] std::string message(std::string_view text) const;

  // Each line of a text, in which values may be marked.
  [[nodiscard]] std::string messages(std::string_view lines) const;

 private:
  enum class Kind { literal, value, number, message, plural };

  struct Part {
    Kind kind = Kind::literal;
    std::string text;  // of a literal; the name of the others
  };

  // A message. One whose English ends with a colon is also a context before another message.
  struct Pattern {
    std::vector<Part> english;
    std::vector<Part> chinese;
    std::size_t literal_bytes = 0;  // of the English
    bool has_letters = false;       // otherwise it only joins messages, and holds only where all are known
  };

  class Line;
  class Matching;

  [[nodiscard]] std::string translated(Line line) const;
  static std::vector<Part> parts_of(std::string_view text);
  void add(std::string_view english, std::string_view chinese);

  std::map<std::string, std::string, std::less<>> terms_;
  std::vector<Pattern> patterns_;  // the longest literals first
  std::vector<Pattern> contexts_;
  std::vector<std::string> arguments_;
};

}  // namespace qdedup::cli
