#include "cli/translation.h"

#include <algorithm>
#include <ios>
#include <optional>
#include <utility>

#include "base/ascii.h"
#include "base/escaped.h"

namespace qdedup::cli {
namespace {

constexpr char begin_of_value = '\x01';
constexpr char end_of_value = '\x02';

int marks_index() {
  static const int index = std::ios_base::xalloc();
  return index;
}

constexpr std::size_t longest_message = 8'192;
constexpr std::size_t most_contexts = 12;      // of one message
constexpr std::size_t most_work = 20'000'000;  // bytes that are compared for one message

template <class Take>
void for_each_entry(std::string_view catalogue, const Take& take) {
  while (!catalogue.empty()) {
    const std::string_view english = take_until(catalogue, '\n');
    if (english.empty() || english.front() == '#') continue;
    take(english, take_until(catalogue, '\n'));
  }
}

// "60,000", "0.5", "12"; without the punctuation of the sentence behind it.
std::size_t length_of_number(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && (is_digit(text[end]) || text[end] == ',' || text[end] == '.')) ++end;
  while (end > 0 && !is_digit(text[end - 1])) --end;
  return text.empty() || !is_digit(text.front()) ? 0 : end;
}

}  // namespace

bool wants_chinese(const std::function<const char*(const char*)>& variable) {
  const auto text_of = [&](const char* name) {
    const char* value = variable(name);
    return std::string(value == nullptr ? "" : value);
  };
  std::string locale = text_of("LC_ALL");
  if (locale.empty()) locale = text_of("LC_MESSAGES");
  if (locale.empty()) locale = text_of("LANG");
  const std::size_t dot = locale.find('.');
  std::string encoding = dot == std::string::npos ? "" : locale.substr(dot + 1, locale.find('@') - dot - 1);
  std::erase(encoding, '-');
  if (in_lower_case(encoding) != "utf8" || locale.starts_with("C.") || locale.starts_with("POSIX."))
    return false;

  std::string languages = text_of("LANGUAGE") + ":" + locale;
  while (!languages.empty()) {
    const std::string language = languages.substr(0, languages.find(':'));
    languages.erase(0, language.size() + 1);
    const std::string code = language.substr(0, language.find_first_of("_.@-"));
    if (code == "zh" || code == "en") return code == "zh";
  }
  return false;
}

// A line in which what is known to be a value has been replaced by two bytes that no pattern has.
class Translation::Line {
 public:
  void add(char byte) { text_ += byte; }

  void add_value(std::string_view value) {
    if (values_.size() == most_values) {
      text_ += value;
      return;
    }
    text_ += mark_of(values_.size());
    values_.emplace_back(value);
  }

  // Wherever it stands by now.
  void replace(const std::string& value) {
    std::size_t found = text_.find(value);
    if (found == std::string::npos || values_.size() == most_values) return;
    const std::string mark = mark_of(values_.size());
    for (; found != std::string::npos; found = text_.find(value, found + mark.size()))
      text_.replace(found, value.size(), mark);
    values_.push_back(value);
  }

  [[nodiscard]] const std::string& text() const { return text_; }

  // `text`, with the values back in their places.
  [[nodiscard]] std::string with_values(std::string_view text) const {
    std::string whole;
    for (std::size_t i = 0; i < text.size(); ++i) {
      const bool is_mark = text[i] == begin_of_value && i + 1 < text.size();
      const std::size_t number = is_mark ? static_cast<unsigned char>(text[i + 1]) - first_mark : most_values;
      if (number < values_.size()) {
        whole += values_[number];
        ++i;
      } else {
        whole += text[i];
      }
    }
    return whole;
  }

 private:
  static constexpr std::size_t most_values = 100;
  static constexpr std::size_t first_mark = 0x80;  // a byte that begins no character

  static std::string mark_of(std::size_t number) {
    return {begin_of_value, static_cast<char>(first_mark + number)};
  }

  std::string text_;
  std::vector<std::string> values_;
};

// The translation of one message.
class Translation::Matching {
 public:
  explicit Matching(const Translation& translation) : translation_(translation) {}

  // None if nothing of `text`, a part of the whole, is known.
  std::optional<std::string> message(std::string_view text, std::size_t contexts = 0) {
    for (const Pattern& pattern : translation_.patterns_) {
      if (auto known = match(pattern, text)) return known;
    }
    const std::size_t colon = text.find(": ");
    if (colon == std::string_view::npos || contexts == most_contexts) return std::nullopt;
    const std::string_view head = text.substr(0, colon + 1);
    const std::string_view rest = text.substr(colon + 2);
    const std::optional<std::string> known_head = context(head);
    const std::optional<std::string> known_rest = message(rest, contexts + 1);
    if (!known_head && !known_rest) return std::nullopt;
    return known_head.value_or(std::string(head)) + ' ' + known_rest.value_or(std::string(rest));
  }

 private:
  // What the values of a pattern stand for, by their parts.
  using Values = std::vector<std::string_view>;

  std::optional<std::string> context(std::string_view head) {
    const std::string_view name = head.substr(0, head.size() - 1);
    if (std::ranges::find(translation_.arguments_, name) != translation_.arguments_.end())
      return std::nullopt;
    for (const Pattern& pattern : translation_.contexts_) {
      if (auto known = match(pattern, head)) return known;
    }
    return std::nullopt;
  }

  std::optional<std::string> match(const Pattern& pattern, std::string_view text) {
    const Part& first = pattern.english.front();
    const Part& last = pattern.english.back();
    if (text.size() < pattern.literal_bytes) return std::nullopt;
    if (first.kind == Kind::literal && !text.starts_with(first.text)) return std::nullopt;
    if (last.kind == Kind::literal && !text.ends_with(last.text)) return std::nullopt;
    Values values(pattern.english.size());
    std::string chinese;
    if (!match_from(pattern, 0, text, values, chinese)) return std::nullopt;
    return chinese;
  }

  // Whether the parts of the pattern from number `i` on are all of `text`. The shortest values are tried
  // first.
  bool match_from(const Pattern& pattern, std::size_t i, std::string_view text, Values& values,
                  std::string& chinese) {
    if (!may_go_on(text)) return false;
    if (i == pattern.english.size()) return text.empty() && write(pattern, values, chinese);
    const Part& part = pattern.english[i];
    if (part.kind == Kind::literal) {
      return text.starts_with(part.text) &&
             match_from(pattern, i + 1, text.substr(part.text.size()), values, chinese);
    }
    if (part.kind == Kind::plural) {
      return (text.starts_with('s') && match_from(pattern, i + 1, text.substr(1), values, chinese)) ||
             match_from(pattern, i + 1, text, values, chinese);
    }
    if (part.kind == Kind::number) {
      const std::size_t length = length_of_number(text);
      values[i] = text.substr(0, length);
      return length > 0 && match_from(pattern, i + 1, text.substr(length), values, chinese);
    }
    if (i + 1 == pattern.english.size()) {
      // Nor does a value go on behind a semicolon; that is another message.
      if (part.kind == Kind::value && text.find("; ") != std::string_view::npos) return false;
      values[i] = text;
      return write(pattern, values, chinese);
    }
    const std::string& next = pattern.english[i + 1].text;
    for (std::size_t end = text.find(next); end != std::string_view::npos; end = text.find(next, end + 1)) {
      values[i] = text.substr(0, end);
      // What a colon ends is rather a context, to be taken for itself.
      if (i == 0 && values[i].find(": ") != std::string_view::npos) return false;
      if (match_from(pattern, i + 1, text.substr(end), values, chinese)) return true;
      if (!may_go_on(text)) return false;
    }
    return false;
  }

  bool write(const Pattern& pattern, const Values& values, std::string& chinese) {
    std::string text;
    for (const Part& part : pattern.chinese) {
      if (part.kind == Kind::literal) {
        text += part.text;
        continue;
      }
      const auto place = std::ranges::find_if(pattern.english, [&](const Part& other) {
        return other.kind == part.kind && other.text == part.text;
      });
      if (place == pattern.english.end()) return false;
      const std::string_view value = values[static_cast<std::size_t>(place - pattern.english.begin())];
      std::optional<std::string> known;
      if (part.kind == Kind::message && !value.empty() && depth_ < most_contexts) {
        ++depth_;
        known = message(value);
        --depth_;
      }
      if (!known && part.kind == Kind::message && !pattern.has_letters) return false;
      text += known.value_or(std::string(value));
    }
    chinese = std::move(text);
    return true;
  }

  bool may_go_on(std::string_view text) {
    work_ += text.size() + 1;
    return work_ < most_work;
  }

  const Translation& translation_;
  std::size_t work_ = 0;
  std::size_t depth_ = 0;
};

// {value}, {#number}, {=message}, {s}.
std::vector<Translation::Part> Translation::parts_of(std::string_view text) {
  std::vector<Part> parts;
  while (!text.empty()) {
    const std::size_t open = text.find('{');
    const std::size_t close = text.find('}', open);
    if (open > 0) parts.push_back({Kind::literal, std::string(text.substr(0, open))});
    if (close == std::string_view::npos) break;
    const std::string_view name = text.substr(open + 1, close - open - 1);
    Kind kind = name == "s" ? Kind::plural : Kind::value;
    if (name.starts_with('#')) kind = Kind::number;
    if (name.starts_with('=')) kind = Kind::message;
    parts.push_back({kind, std::string(name)});
    text.remove_prefix(close + 1);
  }
  return parts;
}

void Translation::add(std::string_view english, std::string_view chinese) {
  Pattern pattern{parts_of(english), parts_of(chinese)};
  for (const Part& part : pattern.english) {
    if (part.kind != Kind::literal) continue;
    pattern.literal_bytes += part.text.size();
    pattern.has_letters = pattern.has_letters || std::ranges::any_of(part.text, is_letter);
  }
  if (english.ends_with(':')) contexts_.push_back(pattern);
  patterns_.push_back(std::move(pattern));
}

Translation::Translation(const std::vector<std::string>& arguments) {
  for_each_entry(chinese_terms, [this](std::string_view english, std::string_view chinese) {
    terms_.emplace(english, chinese);
  });
  for_each_entry(chinese_messages,
                 [this](std::string_view english, std::string_view chinese) { add(english, chinese); });
  for (std::vector<Pattern>* patterns : {&patterns_, &contexts_})
    std::ranges::stable_sort(*patterns, std::ranges::greater(), &Pattern::literal_bytes);
  for (const std::string& argument : arguments) {
    arguments_.push_back(escaped(argument));
    if (const std::size_t equals = argument.find('='); equals != std::string::npos)
      arguments_.push_back(escaped(argument.substr(equals + 1)));
  }
}

std::string Translation::term(std::string_view text) const {
  const auto found = terms_.find(text);
  return found == terms_.end() ? std::string(text) : found->second;
}

std::string Translation::message(std::string_view text) const {
  Line line;
  for (const char byte : text) line.add(byte);
  return translated(std::move(line));
}

std::string Translation::translated(Line line) const {
  for (const std::string& argument : arguments_) {
    const bool looks_like_words = argument.find(' ') != std::string::npos;
    if (looks_like_words) line.replace(argument);
  }
  std::optional<std::string> known;
  if (!line.text().empty() && line.text().size() <= longest_message)
    known = Matching(*this).message(line.text());
  return line.with_values(known.value_or(line.text()));
}

std::string Translation::messages(std::string_view lines) const {
  std::string chinese;
  while (!lines.empty()) {
    const bool has_end = lines.find('\n') != std::string_view::npos;
    std::string_view rest = take_until(lines, '\n');
    Line line;
    while (!rest.empty()) {
      const std::size_t end =
          rest.front() == begin_of_value ? rest.find(end_of_value) : std::string_view::npos;
      if (end != std::string_view::npos) line.add_value(rest.substr(1, end - 1));
      if (end == std::string_view::npos) line.add(rest.front());
      rest.remove_prefix(end == std::string_view::npos ? 1 : end + 1);
    }
    chinese += translated(std::move(line));
    if (has_end) chinese += '\n';
  }
  return chinese;
}

std::ostream& operator<<(std::ostream& out, const Verbatim& value) {
  if (out.iword(marks_index()) == 0) return out << value.text;
  return out << begin_of_value << value.text << end_of_value;
}

void mark_verbatim(std::ostream& out) { out.iword(marks_index()) = 1; }

}  // namespace qdedup::cli
