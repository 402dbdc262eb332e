#include "tests/daemon/prometheus_page.h"

#include <charconv>
#include <set>
#include <stdexcept>

namespace qdedup::daemon {
namespace {

// Reads one line from its left.
class Line {
 public:
  explicit Line(std::string_view line) : line_(line), rest_(line) {}

  [[noreturn]] void fail(const std::string& why) const {
    throw std::runtime_error(why + ": " + std::string(line_));
  }

  bool take(std::string_view text) {
    if (!rest_.starts_with(text)) return false;
    rest_.remove_prefix(text.size());
    return true;
  }
  void expect(std::string_view text) {
    if (!take(text)) fail("no '" + std::string(text) + "'");
  }
  std::string name(std::string_view others) {
    std::size_t size = 0;
    while (size < rest_.size() &&
           (is_letter(rest_[size]) || others.find(rest_[size]) != std::string_view::npos ||
            (size > 0 && is_digit(rest_[size])))) {
      ++size;
    }
    if (size == 0) fail("no name");
    return std::string(take_size(size));
  }
  std::string quoted() {
    expect("\"");
    std::string text;
    while (!take("\"")) {
      if (rest_.empty()) fail("no closing quote");
      text += take("\\") ? escaped() : take_size(1).front();
    }
    return text;
  }
  double number() {
    double value = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (error != std::errc() || end != rest_.data() + rest_.size()) fail("no number at the end");
    rest_ = {};
    return value;
  }
  std::string to_end() { return std::string(take_size(rest_.size())); }

 private:
  static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
  static bool is_digit(char c) { return c >= '0' && c <= '9'; }

  std::string_view take_size(std::size_t size) {
    const std::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(taken.size());
    return taken;
  }
  char escaped() {
    if (take("\\")) return '\\';
    if (take("\"")) return '"';
    if (take("n")) return '\n';
    fail("no such escape");
  }

  std::string_view line_;
  std::string_view rest_;
};

PrometheusPage::Sample sample_of(Line& line) {
  PrometheusPage::Sample sample;
  if (line.take("{")) {
    do {
      const std::string name = line.name("");
      line.expect("=");
      if (!sample.labels.emplace(name, line.quoted()).second) line.fail("a label twice");
    } while (line.take(","));
    line.expect("}");
  }
  line.expect(" ");
  sample.value = line.number();
  return sample;
}

class PageReader {
 public:
  PrometheusPage read(std::string_view text) {
    if (!text.ends_with('\n')) throw std::runtime_error("no line feed at the end");
    while (!text.empty()) {
      Line line(text.substr(0, text.find('\n')));
      text.remove_prefix(text.find('\n') + 1);
      if (line.take("# HELP ")) {
        read_help(line);
      } else if (line.take("# TYPE ")) {
        read_type(line);
      } else {
        read_sample(line);
      }
    }
    return std::move(page_);
  }

 private:
  void read_help(Line& line) {
    current_ = line.name(":");
    line.expect(" ");
    if (!page_.families
             .try_emplace(current_, PrometheusPage::Family{.help = line.to_end(), .type = {}, .samples = {}})
             .second) {
      line.fail("a family twice");
    }
  }
  void read_type(Line& line) {
    if (line.name(":") != current_ || !page_.families[current_].type.empty())
      line.fail("a TYPE of something else");
    line.expect(" ");
    const std::string type = line.to_end();
    if (type != "counter" && type != "gauge") line.fail("another type");
    page_.families[current_].type = type;
  }
  void read_sample(Line& line) {
    if (line.name(":") != current_) line.fail("a sample of something else");
    PrometheusPage::Family& family = page_.families[current_];
    if (family.type.empty()) line.fail("a sample before its TYPE");
    family.samples.push_back(sample_of(line));
    if (!seen_.insert({current_, family.samples.back().labels}).second) line.fail("a sample twice");
  }

  PrometheusPage page_;
  std::string current_;
  std::set<std::pair<std::string, std::map<std::string, std::string>>> seen_;
};

}  // namespace

PrometheusPage PrometheusPage::parse(std::string_view text) { return PageReader().read(text); }

double PrometheusPage::value(const std::string& family,
                             const std::map<std::string, std::string>& labels) const {
  for (const Sample& sample : families.at(family).samples) {
    if (sample.labels == labels) return sample.value;
  }
  throw std::runtime_error("no such sample of " + family);
}

}  // namespace qdedup::daemon
