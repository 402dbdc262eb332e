#include "page/pair_json.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/ascii.h"
#include "db/decisions.h"
#include "db/deletions.h"
#include "markup/display.h"
#include "refine/character_counts.h"
#include "refine/contrast.h"
#include "refine/pair_marks.h"
#include "refine/unicode.h"
#include "review/deletion_list.h"
#include "review/question_view.h"

namespace qdedup::page {
namespace {

// The name of a figure in the address of pictures. A name of dots would be a folder.
std::string image_address(std::string_view image_url, const std::string& name) {
  constexpr std::string_view gap = "{name}";
  constexpr std::string_view plain = "-_.~";
  constexpr std::string_view digits = "0123456789ABCDEF";
  if (image_url.empty() || name.find_first_not_of('.') == std::string::npos) return {};
  std::string encoded;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    const bool is_word = is_alphanumeric(c);
    if (is_word || plain.find(c) != std::string_view::npos) {
      encoded += c;
    } else {
      encoded.append({'%', digits[byte >> 4U], digits[byte & 15U]});
    }
  }
  return std::string(image_url).replace(image_url.find(gap), gap.size(), encoded);
}

// ["figure", begin, end, its name, its address]; the last for none is missing.
Json figure_json(const markup::Piece& piece, const std::string& name, const std::string& image_url) {
  Json json = {markup::name(piece.kind), piece.begin, piece.end, name};
  const std::string address = image_address(image_url, name);
  if (!address.empty()) json.push_back(address);
  return json;
}

Json drawing_json(const markup::Display& display, const std::string& image_url) {
  Json pieces = Json::array();
  for (const markup::Piece& piece : display.pieces) {
    if (piece.kind == markup::Piece::Kind::figure) {
      pieces.push_back(figure_json(piece, review::shown_name(display.figures[piece.figure]), image_url));
    } else if (piece.kind == markup::Piece::Kind::end) {
      pieces.push_back(Json::array());
    } else {
      pieces.push_back({markup::name(piece.kind), piece.begin, piece.end});
    }
  }
  return {{"text", refine::to_utf8(display.text)}, {"pieces", std::move(pieces)}};
}

Json text_json(QuestionId id, const std::optional<db::BankQuestion>& question, const review::Drawing& drawing,
               const std::string& image_url) {
  Json json = {{"id", std::to_string(id)}, {"text", question ? question->text : std::string()}};
  if (!question) json["gone"] = true;
  if (question && question->original.text)
    json["original"] = review::shown_original(*question->original.text);
  if (drawing.text) json["drawing"] = drawing_json(*drawing.text, image_url);
  if (question && question->answer) json["answer"] = *question->answer;
  if (question && question->original.answer)
    json["original_answer"] = review::shown_original(*question->original.answer);
  if (drawing.answer) json["answer_drawing"] = drawing_json(*drawing.answer, image_url);
  return json;
}

Json marks_json(const std::vector<refine::Mark>& marks) {
  Json json = Json::array();
  for (const refine::Mark& mark : marks) json.push_back({mark.begin, mark.end, mark.kinds});
  return json;
}

Json findings_json(const refine::Contrast& contrast) {
  Json json = Json::array();
  const auto add = [&json](const std::vector<refine::Finding>& findings, bool doubt) {
    for (const refine::Finding& finding : findings) {
      json.push_back({{"kind", finding.kind},
                      {"doubt", doubt},
                      {"question", {finding.question.begin, finding.question.end}},
                      {"keeper", {finding.keeper.begin, finding.keeper.end}}});
    }
  };
  add(contrast.reasons, true);
  add(contrast.harmless, false);
  return json;
}

review::Drawing drawing_of(const Reading& reading, const std::optional<db::BankQuestion>& question) {
  return reading.draws && question ? review::draw(*question) : review::Drawing();
}

// On the drawing, where there is one.
Json marks_json(const std::vector<refine::Mark>& marks, const db::BankQuestion& question,
                const review::Drawing& drawing) {
  if (!drawing.text) return marks_json(marks);
  return marks_json(marks_on(*drawing.text, places_in(*drawing.text, question.text), marks));
}

Json json_of(const db::DeletionRow& row, const db::QuestionPair& texts, const Reading& reading) {
  const review::Drawing keeper = drawing_of(reading, texts.keeper);
  const review::Drawing question = drawing_of(reading, texts.question);
  Json json = {{"keeper", text_json(row.keeper, texts.keeper, keeper, reading.image_url)},
               {"question", text_json(row.question, texts.question, question, reading.image_url)}};
  if (texts.question && texts.keeper) {
    const refine::PairMarks marks = refine::mark_pair(texts.question->text, texts.keeper->text);
    json["question"]["marks"] = marks_json(marks.question, *texts.question, question);
    json["question"]["keeper_marks"] = marks_json(marks.keeper, *texts.keeper, keeper);
  }
  return json;
}

void add_row(const db::DeletionRow& row, Json& json) {
  json["iteration"] = row.iteration;
  json["status"] = name(row.status);
  json["confidence"] = name(row.confidence);
  json["reasons"] = row.reasons.text();
  json["risk"] = text_of(row.risk);
  json["similarity"] = review::similarity_percent(row.distance, row.length);
  json["distance"] = row.by_sets ? Json() : Json(row.distance);
  json["length"] = row.by_sets ? Json() : Json(row.length);
  json["note"] = row.note;
  json["texts"] = texts_mark(row);
}

Json contrast_json(const db::QuestionPair& texts, const Reading& reading) {
  if (!texts.question || !texts.keeper) return Json::array();
  return findings_json(refine::contrast({texts.question->text, texts.question->answer},
                                        {texts.keeper->text, texts.keeper->answer}, reading.characters,
                                        reading.contrast));
}

}  // namespace

Result<Json> texts_json(Reading& reading, const db::DeletionRow& row) {
  QDEDUP_ASSIGN_OR_RETURN(const db::QuestionPair texts, reading.bank.find_pair(row.question, row.keeper));
  return json_of(row, texts, reading);
}

Result<Json> pair_json(Reading& reading, const db::DeletionRow& row) {
  QDEDUP_ASSIGN_OR_RETURN(const db::QuestionPair texts, reading.bank.find_pair(row.question, row.keeper));
  Json json = json_of(row, texts, reading);
  Json& question = json["question"];
  add_row(row, question);
  question["standing"] = name(db::standing_of(row, texts));
  question["findings"] = contrast_json(texts, reading);
  QDEDUP_ASSIGN_OR_RETURN(const auto last, db::Decisions(reading.store).last_decider(row.id));
  if (last) add_decider(*last, question);
  return json;
}

std::size_t size_of(const Json& json) {
  constexpr std::size_t of_a_number = 8;  // or of what stands around anything else
  std::size_t bytes = of_a_number;
  if (json.is_string()) bytes += json.get_ref<const std::string&>().size();
  if (!json.is_structured()) return bytes;
  for (const Json& part : json) bytes += size_of(part);
  return bytes;
}

std::string texts_mark(const db::DeletionRow& row) {
  return std::to_string(row.question_hash) + '-' + std::to_string(row.keep_hash);
}

void add_decider(const db::Decider& decider, Json& json) {
  json["decided_by"] = decider.user;
  json["given_name"] = decider.given_name;
  json["decided_at"] = decider.at;
}

}  // namespace qdedup::page
