#include "finder/text_index.h"

#include <algorithm>
#include <utility>

#include "base/sort_unique.h"
#include "finder/grams.h"

namespace qdedup::finder {
namespace {

constexpr std::string_view magic = "qdedup index 1\n";
// So many entries that were added are looked through before they are folded in, and one more for so many.
constexpr std::size_t most_entries_added = 1024;
constexpr std::size_t folded_per_entry_added = 256;
// An empty signature must be told from none.
constexpr std::uint32_t nothing = 0;

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

Error unusable(const std::string& what) { return {ErrorCode::data, "the index cannot be used: " + what}; }

}  // namespace

void TextIndex::add(QuestionId id, std::uint64_t arrival, std::span<const std::uint32_t> signature) {
  remove(id);
  const auto stored = signatures_.add(signature);
  if (sorted_ == entries_.size() && (entries_.empty() || entries_.back().id < id)) {
    ++sorted_;
  } else {
    unsorted_[id] = static_cast<std::uint32_t>(entries_.size());
  }
  entries_.push_back(
      {id, arrival, stored.empty() ? &nothing : stored.data(), static_cast<std::uint32_t>(stored.size())});
}

// Null where there is none.
TextIndex::Entry* TextIndex::entry_of(QuestionId id) {
  if (const auto found = unsorted_.find(id); found != unsorted_.end()) return &entries_[found->second];
  const auto sorted = std::span(entries_).first(sorted_);
  const auto found = std::ranges::lower_bound(sorted, id, {}, &Entry::id);
  return found != sorted.end() && found->id == id && found->signature != nullptr ? &*found : nullptr;
}

void TextIndex::drop(Entry& entry) {
  unsorted_.erase(entry.id);
  entry.signature = nullptr;
  ++removed_;
}

bool TextIndex::remove(QuestionId id) {
  Entry* const entry = entry_of(id);
  if (entry == nullptr) return false;
  drop(*entry);
  if (removed_ > size() + most_entries_added) fold();
  return true;
}

bool TextIndex::arrived(QuestionId id, std::uint64_t arrival) {
  Entry* const entry = entry_of(id);
  if (entry == nullptr) return false;
  entry->arrival = std::max(entry->arrival, arrival);
  return true;
}

std::size_t TextIndex::expire(std::uint64_t before) {
  const std::size_t size_before = size();
  for (Entry& entry : entries_) {
    if (entry.signature != nullptr && entry.arrival < before) drop(entry);
  }
  if (size() < size_before) fold();
  return size_before - size();
}

void TextIndex::leave_out_removed() {
  if (removed_ == 0) return;
  std::erase_if(entries_, [](const Entry& entry) { return entry.signature == nullptr; });
  removed_ = 0;
}

// Frees what only removed entries had.
void TextIndex::renew_signatures() {
  std::size_t numbers = 0;
  for (const Entry& entry : entries_) numbers += entry.size;
  if (signatures_.numbers() <= 2 * numbers) return;
  SignatureColumn renewed;
  for (Entry& entry : entries_) {
    if (entry.size > 0) entry.signature = renewed.add(entry.numbers()).data();
  }
  signatures_ = std::move(renewed);
}

bool TextIndex::fold(const std::function<void()>& moved) {
  constexpr std::size_t told_each = 65'536;
  if (folded_ == entries_.size() && removed_ == 0) return true;
  leave_out_removed();
  renew_signatures();
  if (!std::ranges::is_sorted(entries_, {}, &Entry::id)) std::ranges::sort(entries_, {}, &Entry::id);
  unsorted_.clear();
  sorted_ = entries_.size();
  const bool fits = buckets_.build(
      static_cast<std::uint32_t>(sorted_),
      [&](std::uint32_t i, std::vector<std::uint32_t>& keys) {
        if (i % told_each == 0) moved();
        scheme_->append_keys(entries_[i].numbers(), keys);
      },
      most_keys_);
  folded_ = fits ? sorted_ : 0;
  return fits;
}

// The entries that share a bucket with the signature, ascending, each once: of each bucket the last `most` of
// those below `before`.
void TextIndex::gather(std::span<const std::uint32_t> signature, std::size_t before, std::size_t most,
                       Scratch& scratch) const {
  scratch.keys.clear();
  scratch.candidates.clear();
  scheme_->append_keys(signature, scratch.keys);
  sort_unique(scratch.keys);
  for (const std::uint32_t key : scratch.keys) buckets_.prefetch_bucket(key);
  for (const std::uint32_t key : scratch.keys) buckets_.prefetch_numbers(key);
  for (const std::uint32_t key : scratch.keys) {
    const auto bucket = buckets_.of(key);
    const auto end = std::ranges::lower_bound(bucket, before);
    const auto begin = end - bucket.begin() > static_cast<std::ptrdiff_t>(most)
                           ? end - static_cast<std::ptrdiff_t>(most)
                           : bucket.begin();
    scratch.candidates.insert(scratch.candidates.end(), begin, end);
  }
  sort_unique(scratch.candidates);
}

bool TextIndex::share_a_key(std::span<const std::uint32_t> keys, const Entry& entry) const {
  std::vector<std::uint32_t> others;
  scheme_->append_keys(entry.numbers(), others);
  return std::ranges::any_of(others,
                             [&](std::uint32_t key) { return std::ranges::binary_search(keys, key); });
}

std::size_t TextIndex::find_earlier(std::size_t place, const std::function<bool(QuestionId)>& wanted,
                                    const std::function<void(QuestionId)>& found, Scratch& scratch) const {
  constexpr std::size_t ahead = 8;
  const auto signature = entries_[place].numbers();
  gather(signature, place, most_looked_at, scratch);
  const std::vector<std::uint32_t>& candidates = scratch.candidates;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (i + 2 * ahead < candidates.size()) __builtin_prefetch(&entries_[candidates[i + 2 * ahead]]);
    if (i + ahead < candidates.size()) __builtin_prefetch(entries_[candidates[i + ahead]].signature);
    const Entry& entry = entries_[candidates[i]];
    if (wanted(entry.id) && scheme_->near(signature, entry.numbers()) && share_a_key(scratch.keys, entry))
      found(entry.id);
  }
  return candidates.size();
}

std::vector<QuestionId> TextIndex::query(std::u32string_view text) {
  if (entries_.size() - folded_ > most_entries_added + folded_ / folded_per_entry_added) fold();
  const Signature signature = scheme_->signature(text);
  Scratch scratch;
  gather(signature, folded_, folded_, scratch);
  for (std::size_t added = folded_; added < entries_.size(); ++added)
    scratch.candidates.push_back(static_cast<std::uint32_t>(added));
  std::vector<QuestionId> found;
  for (const std::uint32_t number : scratch.candidates) {
    const Entry& entry = entries_[number];
    if (entry.signature != nullptr && scheme_->near(signature, entry.numbers()) &&
        share_a_key(scratch.keys, entry))
      found.push_back(entry.id);
  }
  std::ranges::sort(found);
  return found;
}

std::string TextIndex::save() const {
  std::string bytes = std::string(magic) + scheme_->name() + '\n';
  append_numbers(bytes, scheme_->learnt());
  append_number(bytes, static_cast<std::uint64_t>(size()));
  for (const Entry& entry : entries_) {
    if (entry.signature == nullptr) continue;
    append_number(bytes, static_cast<std::uint64_t>(entry.id));
    append_number(bytes, entry.arrival);
    append_numbers(bytes, entry.numbers());
  }
  append_number(bytes, check_sum(bytes));
  return bytes;
}

Result<TextIndex> TextIndex::load(std::string_view bytes, std::unique_ptr<TextScheme> scheme) {
  if (bytes.size() < sizeof(std::uint64_t)) return unusable("it is cut off");
  const std::string_view content = bytes.substr(0, bytes.size() - sizeof(std::uint64_t));
  if (Numbers(bytes.substr(content.size())).take<std::uint64_t>() != check_sum(content)) {
    return unusable("it is cut off or damaged");
  }
  Numbers numbers(content);
  if (!numbers.take_text(magic)) return unusable("it is none, or of another version");
  if (!numbers.take_text(scheme->name() + '\n'))
    return unusable("it has other settings than " + scheme->name());
  if (!scheme->take_learnt(numbers.take_numbers())) return unusable("what it has learnt is incomplete");
  TextIndex index(std::move(scheme));
  for (auto left = numbers.take<std::uint64_t>(); left > 0 && numbers.ok(); --left) {
    const auto id = numbers.take<std::uint64_t>();
    const auto arrival = numbers.take<std::uint64_t>();
    const Signature signature = numbers.take_numbers();
    if (!numbers.ok() || id < 1 || id > static_cast<std::uint64_t>(max_question_id) ||
        !index.scheme_->accepts(signature)) {
      return unusable("an entry is wrong");
    }
    if (index.entry_of(static_cast<QuestionId>(id)) != nullptr) return unusable("an id is there twice");
    index.add(static_cast<QuestionId>(id), arrival, signature);
  }
  if (!numbers.ok() || !numbers.empty()) return unusable("it does not end where it should");
  return index;
}

}  // namespace qdedup::finder
