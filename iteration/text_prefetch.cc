#include "iteration/text_prefetch.h"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <utility>

#include "base/containers.h"
#include "db/bank_reading.h"

namespace qdedup::iteration {
namespace {

// How many of `questions` a thread reads at a time while others read the next ones.
std::size_t stretch_of(std::size_t questions, unsigned threads) {
  return std::clamp<std::size_t>(questions / (std::size_t{8} * std::max(threads, 1U)), 64, 16'384);
}

std::vector<engine::ComponentQuestion*> candidates_of(std::span<engine::Component> components) {
  std::vector<engine::ComponentQuestion*> candidates;
  for (engine::Component& component : components) {
    for (engine::ComponentQuestion& question : component.questions) {
      if (question.is_candidate) candidates.push_back(&question);
    }
  }
  return candidates;
}

}  // namespace

void TextPrefetch::want(QuestionId id) {
  wanted_.push_back({id, static_cast<std::uint32_t>(batch_sizes_.size() - 1), batch_sizes_.back()++});
}

Status TextPrefetch::read(db::Bank& bank, unsigned threads, const Progress& progress) {
  const std::string folder = std::filesystem::path(bank.path()).parent_path().string();
  QDEDUP_ASSIGN_OR_RETURN(TextSpillFile file, TextSpillFile::create(folder, batch_sizes_.size()));
  file_.emplace(std::move(file));
  std::ranges::sort(wanted_, {}, &Wanted::id);
  const std::size_t stretch = stretch_of(wanted_.size(), threads);
  const std::size_t max_threads = std::max<std::size_t>(1, (wanted_.size() + stretch - 1) / stretch);
  std::atomic<std::size_t> next{0};
  const auto read_until_done = [&](db::Bank& reader, bool tells) -> Status {
    TextSpillFile::Writer writer(*file_);
    for (std::size_t begin = 0; (begin = next.fetch_add(stretch)) < wanted_.size();) {
      const std::size_t count = std::min(stretch, wanted_.size() - begin);
      QDEDUP_TRY(read_some(std::span(wanted_).subspan(begin, count), reader, writer));
      if (tells) progress("texts", begin + count, wanted_.size(), "questions");
    }
    return writer.finish();
  };
  threads = static_cast<unsigned>(std::min<std::size_t>(threads, max_threads));
  QDEDUP_TRY(db::with_readers(bank, threads, [&](db::Bank& reader, bool tells) {
    Status outcome = read_until_done(reader, tells);
    if (!outcome.ok()) next = wanted_.size();
    return outcome;
  }));
  release(wanted_);
  return {};
}

Status TextPrefetch::read_some(std::span<const Wanted> wanted, db::Bank& bank,
                               TextSpillFile::Writer& writer) const {
  std::vector<QuestionId> ids(wanted.size());
  std::ranges::transform(wanted, ids.begin(), &Wanted::id);
  Status put;
  QDEDUP_TRY(db::read_texts(bank, ids, [&](std::size_t position, std::string_view text, auto answer) {
    const Wanted& question = wanted[position];
    if (put.ok()) put = writer.put(question.batch, {question.place, text, answer});
  }));
  return put;
}

Status TextPrefetch::fetch(std::size_t batch, std::span<engine::Component> components) {
  fetched_.clear();
  QDEDUP_ASSIGN_OR_RETURN(fetched_, file_->fetch(batch));
  const std::vector<engine::ComponentQuestion*> candidates = candidates_of(components);
  for (std::string_view block : fetched_) {
    while (!block.empty()) {
      const PlacedText placed = TextSpillFile::take_text(block);
      candidates[placed.place]->text = {placed.text, placed.answer};
    }
  }
  for (engine::ComponentQuestion* const candidate : candidates) {
    candidate->has_text = !candidate->text.text.empty();
    candidate->is_candidate = candidate->has_text;
  }
  return {};
}

}  // namespace qdedup::iteration
