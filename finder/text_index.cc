#include "finder/text_index.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/sort_unique.h"
#include "finder/grams.h"

namespace qdedup::finder {
namespace {

constexpr std::string_view magic = "qdedup index 1\n";
// So many keys are looked through before they are sorted.
constexpr std::size_t most_unsorted_keys = 4096;

template <class Number>
void append_number(std::string& bytes, Number number) {
  for (std::size_t i = 0; i < sizeof number; ++i) bytes += static_cast<char>(number >> (8 * i) & 0xFFU);
}

void append_numbers(std::string& bytes, std::span<const std::uint32_t> numbers) {
  append_number(bytes, static_cast<std::uint32_t>(numbers.size()));
  for (const std::uint32_t number : numbers) append_number(bytes, number);
}

std::uint64_t check_sum(std::string_view bytes) {
  std::uint64_t sum = bytes.size();
  for (const char byte : bytes)
    sum = mixed_bits(sum + static_cast<unsigned char>(byte) + 0x9E3779B97F4A7C15U);
  return sum;
}

// Takes numbers off the front of some bytes; after the first that is not there, all are 0 and `ok` is false.
class Numbers {
 public:
  explicit Numbers(std::string_view bytes) : bytes_(bytes) {}

  template <class Number>
  Number take() {
    if (bytes_.size() < sizeof(Number)) ok_ = false;
    if (!ok_) return 0;
    Number number = 0;
    for (std::size_t i = sizeof number; i > 0; --i)
      number = static_cast<Number>(number << 8U | static_cast<unsigned char>(bytes_[i - 1]));
    bytes_.remove_prefix(sizeof number);
    return number;
  }

  std::vector<std::uint32_t> take_numbers() {
    const auto count = take<std::uint32_t>();
    if (count > bytes_.size() / sizeof(std::uint32_t)) ok_ = false;
    std::vector<std::uint32_t> numbers(ok_ ? count : 0);
    for (std::uint32_t& number : numbers) number = take<std::uint32_t>();
    return numbers;
  }

  bool take_text(std::string_view text) {
    if (!bytes_.starts_with(text)) return false;
    bytes_.remove_prefix(text.size());
    return true;
  }

  [[nodiscard]] bool ok() const { return ok_; }
  [[nodiscard]] bool empty() const { return bytes_.empty(); }

 private:
  std::string_view bytes_;
  bool ok_ = true;
};

Error damaged(const std::string& what) { return {ErrorCode::data, "the index cannot be used: " + what}; }

}  // namespace

void TextIndex::add_entry(Entry entry) {
  const auto number = static_cast<std::uint32_t>(entries_.size());
  std::vector<std::uint32_t> keys;
  scheme_->append_keys(entry.signature, keys);
  for (const std::uint32_t key : keys) keys_.push_back({key, number});
  entry_of_[entry.id] = number;
  entries_.push_back(std::move(entry));
}

void TextIndex::add(QuestionId id, std::uint64_t arrival, std::u32string_view text) {
  remove(id);
  add_entry({id, arrival, scheme_->signature(text)});
}

void TextIndex::drop(std::uint32_t entry) {
  entry_of_.erase(entries_[entry].id);
  entries_[entry] = {};
}

bool TextIndex::remove(QuestionId id) {
  const auto found = entry_of_.find(id);
  if (found == entry_of_.end()) return false;
  drop(found->second);
  if (entries_.size() > 2 * entry_of_.size() + most_unsorted_keys) rebuild();
  return true;
}

// Without what was removed.
void TextIndex::rebuild() {
  std::vector<Entry> entries = std::exchange(entries_, {});
  keys_.clear();
  sorted_keys_ = 0;
  for (Entry& entry : entries) {
    if (entry.id != 0) add_entry(std::move(entry));
  }
}

bool TextIndex::arrived(QuestionId id, std::uint64_t arrival) {
  const auto found = entry_of_.find(id);
  if (found == entry_of_.end()) return false;
  std::uint64_t& last = entries_[found->second].arrival;
  last = std::max(last, arrival);
  return true;
}

std::size_t TextIndex::expire(std::uint64_t before) {
  std::size_t expired = 0;
  for (std::uint32_t number = 0; number < entries_.size(); ++number) {
    if (entries_[number].id == 0 || entries_[number].arrival >= before) continue;
    drop(number);
    ++expired;
  }
  if (expired > 0) rebuild();
  return expired;
}

void TextIndex::sort_keys() {
  if (keys_.size() - sorted_keys_ <= most_unsorted_keys) return;
  const auto middle = keys_.begin() + static_cast<std::ptrdiff_t>(sorted_keys_);
  const auto by_key = [](const Key& a, const Key& b) { return a.key < b.key; };
  std::sort(middle, keys_.end(), by_key);
  std::inplace_merge(keys_.begin(), middle, keys_.end(), by_key);
  sorted_keys_ = keys_.size();
}

std::vector<QuestionId> TextIndex::query(std::u32string_view text) {
  sort_keys();
  const Signature signature = scheme_->signature(text);
  std::vector<std::uint32_t> wanted;
  scheme_->append_keys(signature, wanted);
  sort_unique(wanted);
  const std::span all(keys_);
  const auto sorted = all.first(sorted_keys_);
  std::vector<std::uint32_t> candidates;
  for (const std::uint32_t key : wanted) {
    for (auto at = std::ranges::lower_bound(sorted, key, {}, &Key::key); at != sorted.end() && at->key == key;
         ++at)
      candidates.push_back(at->entry);
  }
  for (const Key& key : all.subspan(sorted_keys_)) {
    if (std::ranges::binary_search(wanted, key.key)) candidates.push_back(key.entry);
  }
  sort_unique(candidates);
  std::vector<QuestionId> found;
  for (const std::uint32_t number : candidates) {
    const Entry& entry = entries_[number];
    if (entry.id != 0 && scheme_->near(signature, entry.signature)) found.push_back(entry.id);
  }
  std::ranges::sort(found);
  return found;
}

std::string TextIndex::save() const {
  std::string bytes = std::string(magic) + scheme_->name() + '\n';
  append_numbers(bytes, scheme_->learnt());
  append_number(bytes, static_cast<std::uint64_t>(entry_of_.size()));
  for (const Entry& entry : entries_) {
    if (entry.id == 0) continue;
    append_number(bytes, static_cast<std::uint64_t>(entry.id));
    append_number(bytes, entry.arrival);
    append_numbers(bytes, entry.signature);
  }
  append_number(bytes, check_sum(bytes));
  return bytes;
}

Result<TextIndex> TextIndex::load(std::string_view bytes, std::unique_ptr<TextScheme> scheme) {
  if (bytes.size() < sizeof(std::uint64_t)) return damaged("it is cut off");
  const std::string_view content = bytes.substr(0, bytes.size() - sizeof(std::uint64_t));
  if (Numbers(bytes.substr(content.size())).take<std::uint64_t>() != check_sum(content)) {
    return damaged("it is cut off or damaged");
  }
  Numbers numbers(content);
  if (!numbers.take_text(magic)) return damaged("it is none, or of another version");
  if (!numbers.take_text(scheme->name() + '\n'))
    return damaged("it has other settings than " + scheme->name());
  if (!scheme->take_learnt(numbers.take_numbers())) return damaged("what it has learnt is incomplete");
  TextIndex index(std::move(scheme));
  for (auto left = numbers.take<std::uint64_t>(); left > 0 && numbers.ok(); --left) {
    Entry entry;
    const auto id = numbers.take<std::uint64_t>();
    entry.arrival = numbers.take<std::uint64_t>();
    entry.signature = numbers.take_numbers();
    if (!numbers.ok() || id < 1 || id > static_cast<std::uint64_t>(max_question_id) ||
        !index.scheme_->accepts(entry.signature)) {
      return damaged("an entry is wrong");
    }
    entry.id = static_cast<QuestionId>(id);
    if (index.entry_of_.contains(entry.id)) return damaged("an id is there twice");
    index.add_entry(std::move(entry));
  }
  if (!numbers.ok() || !numbers.empty()) return damaged("it does not end where it should");
  return index;
}

}  // namespace qdedup::finder
