#include "review/undo_list.h"

#include <string>
#include <utility>

#include <nlohmann/json.hpp>

#include "review/output.h"

namespace qdedup::review {
namespace {

std::string undo_row(const DeletionEntry& entry) {
  nlohmann::ordered_json json = {{"id", entry.delete_id}, {"text", entry.delete_text}};
  if (entry.delete_answer) json["answer"] = *entry.delete_answer;
  json["keep_id"] = entry.keep_id;
  return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n';
}

}  // namespace

Result<UndoCounts> write_undo_list(const DeletionStream& entries, std::ostream& out) {
  UndoCounts counts;
  DeletionEntry entry;
  while (true) {
    const Result<bool> more = entries(entry);
    if (!more.ok()) return more.error();
    if (!*more) break;
    if (entry.delete_text.empty()) {
      ++counts.without_text;
      continue;
    }
    QDEDUP_TRY(write_bytes(out, undo_row(entry)));
    ++counts.written;
  }
  QDEDUP_TRY(flush(out));
  return counts;
}

}  // namespace qdedup::review
