#include "review/list_columns.h"

#include <array>

namespace qdedup::review {

namespace {

using Entry = DeletionEntry;

constexpr bool number = false;
constexpr bool text = true;

constexpr std::array columns{
    ListColumn{"iteration", number, [](const Entry& e) { return std::to_string(e.iteration); }},
    ListColumn{"delete_id", number, [](const Entry& e) { return std::to_string(e.delete_id); }},
    ListColumn{"keep_id", number, [](const Entry& e) { return std::to_string(e.keep_id); }},
    ListColumn{"similarity", number, [](const Entry& e) { return similarity_percent(e.distance, e.length); }},
    ListColumn{"distance", number, [](const Entry& e) { return std::to_string(e.distance); }},
    ListColumn{"length", number, [](const Entry& e) { return std::to_string(e.length); }},
    ListColumn{"confidence", text, [](const Entry& e) { return e.confidence; }},
    ListColumn{"reasons", text, [](const Entry& e) { return e.reasons; }},
    ListColumn{"status", text, [](const Entry& e) { return e.status; }},
    ListColumn{"decision", text, [](const Entry&) { return std::string(); }},
    ListColumn{"note", text, [](const Entry& e) { return e.note; }},
    ListColumn{"delete_text", text, [](const Entry& e) { return e.delete_text; }},
    ListColumn{"keep_text", text, [](const Entry& e) { return e.keep_text; }},
};

}  // namespace

std::span<const ListColumn> list_columns() { return columns; }

}  // namespace qdedup::review
