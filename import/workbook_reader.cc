#include "import/workbook_reader.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <memory>
#include <optional>
#include <utility>

#include <expat.h>
#include <zip.h>

#include "refine/unicode.h"

namespace qdedup::import {
namespace {

constexpr std::uint64_t max_file_bytes = 0xFFFFFFFF;
constexpr unsigned max_parts = 10'000;
constexpr std::uint64_t max_unpacked_bytes = std::uint64_t{16} << 30U;
constexpr std::size_t text_overhead = 4 * sizeof(std::string);  // of a shared one, as the list of them grows
constexpr std::size_t max_shared_bytes = std::size_t{1} << 30U;
constexpr std::size_t max_row_bytes = std::size_t{16} << 20U;
constexpr std::size_t max_pending_bytes = std::size_t{4}
                                          << 20U;  // that the parser holds back, as of an attribute
constexpr std::size_t max_columns = 4096;
constexpr std::size_t max_sheets = 1000;
constexpr unsigned max_depth = 64;

Error bad(const std::string& reason) { return {ErrorCode::data, reason}; }

struct CloseZip {
  void operator()(zip_t* archive) const { zip_discard(archive); }
  void operator()(zip_file_t* part) const { zip_fclose(part); }
};
using Archive = std::unique_ptr<zip_t, CloseZip>;
using Part = std::unique_ptr<zip_file_t, CloseZip>;

struct FreeParser {
  void operator()(XML_Parser parser) const { XML_ParserFree(parser); }
};

// Names are compared without their namespace's prefix.
std::string_view local_name(std::string_view name) {
  const std::size_t colon = name.rfind(':');
  return colon == std::string_view::npos ? name : name.substr(colon + 1);
}

std::string_view attribute(const XML_Char** attributes, std::string_view name) {
  for (; *attributes != nullptr; attributes += 2) {
    if (std::string_view(attributes[0]) == name) return attributes[1];
  }
  return {};
}

std::optional<std::uint64_t> number_of(std::string_view digits) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (digits.empty() || error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return number;
}

// The column of a reference such as "AB12", from 0.
std::optional<std::size_t> column_of(std::string_view reference) {
  std::size_t column = 0;
  for (const char c : reference) {
    if (c < 'A' || c > 'Z') break;
    column = column * 26 + static_cast<std::size_t>(c - 'A') + 1;
    if (column > max_columns) return max_columns;
  }
  if (column == 0) return std::nullopt;
  return column - 1;
}

// The character of "_x000D_" at the beginning of a text, as UTF-8; empty if there is none.
std::string escaped_character(std::string_view text) {
  constexpr std::size_t length = 7;
  if (text.size() < length || !text.starts_with("_x") || text[length - 1] != '_') return {};
  unsigned code = 0;
  const char* const end = text.data() + length - 1;
  const auto parsed = std::from_chars(text.data() + 2, end, code, 16);
  const bool is_surrogate = code >= 0xD800 && code < 0xE000;
  if (parsed.ec != std::errc() || parsed.ptr != end || code == 0 || is_surrogate) return {};
  return refine::to_utf8(std::u32string(1, static_cast<char32_t>(code)));
}

// Characters that XML cannot hold stand as _xHHHH_.
std::string without_escapes(std::string&& text) {
  if (text.find("_x") == std::string::npos) return std::move(text);
  std::string plain;
  for (std::size_t at = 0; at < text.size();) {
    const std::string character = escaped_character(std::string_view(text).substr(at));
    if (character.empty()) {
      plain += text[at++];
    } else {
      plain += character;
      at += 7;
    }
  }
  return plain;
}

// Takes the elements of one part of a workbook.
class PartReader {
 public:
  PartReader() = default;
  PartReader(const PartReader&) = delete;
  PartReader& operator=(const PartReader&) = delete;
  virtual ~PartReader() = default;

  virtual Status start(std::string_view name, const XML_Char** attributes) = 0;
  virtual Status end(std::string_view name) = 0;
  virtual Status characters(std::string_view text) = 0;
};

// The text of the runs <t> of something, but not of those of phonetic hints, <rPh>.
class TextRuns {
 public:
  void start(std::string_view name) {
    if (name == "rPh") ++hints_;
    if (name == "t" && hints_ == 0) inside_ = true;
  }
  void end(std::string_view name) {
    if (name == "rPh" && hints_ > 0) --hints_;
    if (name != "t") return;
    inside_ = false;
    text_ += without_escapes(std::exchange(run_, {}));
  }
  void add(std::string_view characters) { run_ += characters; }

  [[nodiscard]] bool inside() const { return inside_; }
  std::string take() { return std::exchange(text_, {}); }

 private:
  std::string text_;
  std::string run_;
  unsigned hints_ = 0;
  bool inside_ = false;
};

// The texts that cells refer to by number.
class SharedTexts final : public PartReader {
 public:
  Status start(std::string_view name, const XML_Char** /*attributes*/) override {
    runs_.start(name);
    return {};
  }
  Status end(std::string_view name) override {
    runs_.end(name);
    if (name != "si") return {};
    texts_.push_back(runs_.take());
    return add_bytes(text_overhead);
  }
  Status characters(std::string_view text) override {
    if (!runs_.inside()) return {};
    runs_.add(text);
    return add_bytes(text.size());
  }

  [[nodiscard]] const std::string* find(std::string_view index) const {
    const std::optional<std::uint64_t> number = number_of(index);
    return number && *number < texts_.size() ? &texts_[*number] : nullptr;
  }

 private:
  Status add_bytes(std::size_t bytes) {
    bytes_ += bytes;
    if (bytes_ > max_shared_bytes) return bad("has more than 1 GiB of texts; save it as CSV UTF-8");
    return {};
  }

  std::vector<std::string> texts_;
  TextRuns runs_;
  std::size_t bytes_ = 0;
};

class Sheet final : public PartReader {
 public:
  Sheet(std::size_t number, const SharedTexts& shared, const std::function<Status(SheetRow& row)>& take)
      : shared_(shared), take_(take) {
    row_.sheet = number;
  }

  Status start(std::string_view name, const XML_Char** attributes) override {
    runs_.start(name);
    if (name == "row") {
      row_.row = number_of(attribute(attributes, "r")).value_or(row_.row + 1);
      row_.cells.clear();
      next_column_ = 0;
      row_bytes_ = 0;
    } else if (name == "c") {
      column_ = column_of(attribute(attributes, "r")).value_or(next_column_);
      next_column_ = column_ + 1;
      type_ = attribute(attributes, "t");
      cell_ = {};
      (void)runs_.take();
    } else if (name == "v") {
      in_value_ = true;
    } else if (name == "f") {
      cell_.is_formula = true;
    }
    return {};
  }

  Status end(std::string_view name) override {
    runs_.end(name);
    if (name == "v") in_value_ = false;
    if (name == "c") return take_cell();
    return name == "row" ? take_(row_) : Status();
  }

  Status characters(std::string_view text) override {
    if (!in_value_ && !runs_.inside()) return {};
    QDEDUP_TRY(add_bytes(text.size()));
    if (in_value_) {
      cell_.text += text;
    } else {
      runs_.add(text);
    }
    return {};
  }

 private:
  Status add_bytes(std::size_t bytes) {
    row_bytes_ += bytes;
    if (row_bytes_ > max_row_bytes) return bad("row " + std::to_string(row_.row) + " has more than 16 MiB");
    return {};
  }

  Status take_cell() {
    if (column_ >= max_columns) return {};
    if (type_ == "s") {
      const std::string* const text = shared_.find(cell_.text);
      if (text == nullptr)
        return bad("row " + std::to_string(row_.row) + ": a cell refers to a text that is not there");
      QDEDUP_TRY(add_bytes(text->size()));
      cell_.text = *text;
    } else if (type_ == "inlineStr") {
      cell_.text = runs_.take();
    } else if (type_ == "str") {
      cell_.text = without_escapes(std::move(cell_.text));
    }
    if (cell_.text.empty() && !cell_.is_formula) return {};
    if (row_.cells.size() <= column_) row_.cells.resize(column_ + 1);
    row_.cells[column_] = std::move(cell_);
    return {};
  }

  const SharedTexts& shared_;
  const std::function<Status(SheetRow& row)>& take_;
  SheetRow row_;
  SheetCell cell_;
  std::string type_;
  TextRuns runs_;
  std::size_t column_ = 0;
  std::size_t next_column_ = 0;
  std::size_t row_bytes_ = 0;
  bool in_value_ = false;
};

// Feeds a part to its reader.
class PartParser {
 public:
  explicit PartParser(PartReader& reader) : reader_(reader), parser_(XML_ParserCreate(nullptr)) {
    if (!parser_) return;
    XML_SetUserData(parser_.get(), this);
    XML_SetElementHandler(parser_.get(), on_start, on_end);
    XML_SetCharacterDataHandler(parser_.get(), on_characters);
    XML_SetStartDoctypeDeclHandler(parser_.get(), on_doctype);
  }

  Status parse(std::string_view bytes, bool is_last) {
    if (!parser_) return Error{ErrorCode::busy, "no memory for it"};
    fed_ += bytes.size();
    const XML_Status parsed = XML_Parse(parser_.get(), bytes.data(), static_cast<int>(bytes.size()),
                                        is_last ? XML_TRUE : XML_FALSE);
    if (!status_.ok()) return status_;
    if (parsed != XML_STATUS_OK)
      return bad("is damaged: " + std::string(XML_ErrorString(XML_GetErrorCode(parser_.get()))));
    if (fed_ - last_event_ > max_pending_bytes) return bad("is damaged: a tag is longer than 4 MiB");
    return {};
  }

 private:
  static PartParser& self(void* data) { return *static_cast<PartParser*>(data); }

  static void on_start(void* data, const XML_Char* name, const XML_Char** attributes) {
    PartParser& parser = self(data);
    if (parser.has_stopped()) return;
    if (++parser.depth_ > max_depth) return parser.stop(bad("is damaged: its elements are nested too deep"));
    parser.stop(parser.reader_.start(local_name(name), attributes));
  }
  static void on_end(void* data, const XML_Char* name) {
    PartParser& parser = self(data);
    if (parser.has_stopped()) return;
    --parser.depth_;
    parser.stop(parser.reader_.end(local_name(name)));
  }
  static void on_characters(void* data, const XML_Char* text, int length) {
    PartParser& parser = self(data);
    if (parser.has_stopped()) return;
    parser.stop(parser.reader_.characters({text, static_cast<std::size_t>(length)}));
  }
  static void on_doctype(void* data, const XML_Char*, const XML_Char*, const XML_Char*, int) {
    self(data).stop(bad("has a document type, which no spreadsheet writes"));
  }

  // Called at each event: further ones may come until the parser has stopped.
  bool has_stopped() {
    last_event_ = fed_;
    return !status_.ok();
  }

  void stop(Status status) {
    if (status.ok()) return;
    status_ = std::move(status);
    XML_StopParser(parser_.get(), XML_FALSE);
  }

  PartReader& reader_;
  std::unique_ptr<XML_ParserStruct, FreeParser> parser_;
  Status status_;
  std::uint64_t fed_ = 0;         // bytes
  std::uint64_t last_event_ = 0;  // after as many
  unsigned depth_ = 0;
};

// What libzip asks of a file that it reads. Its positions are its own.
class FileSource {
 public:
  explicit FileSource(const logs::RegularFile& file) : file_(file) {}

  static zip_int64_t serve(void* self, void* data, zip_uint64_t size, zip_source_cmd_t command) {
    return static_cast<FileSource*>(self)->serve(data, size, command);
  }

 private:
  zip_int64_t serve(void* data, zip_uint64_t size, zip_source_cmd_t command) {
    switch (command) {
      case ZIP_SOURCE_SUPPORTS:
        return zip_source_make_command_bitmap(ZIP_SOURCE_OPEN, ZIP_SOURCE_READ, ZIP_SOURCE_CLOSE,
                                              ZIP_SOURCE_STAT, ZIP_SOURCE_ERROR, ZIP_SOURCE_FREE,
                                              ZIP_SOURCE_SEEK, ZIP_SOURCE_TELL, ZIP_SOURCE_SUPPORTS, -1);
      case ZIP_SOURCE_STAT: {
        auto* const stat = static_cast<zip_stat_t*>(data);
        zip_stat_init(stat);
        stat->size = file_.size();
        stat->valid = ZIP_STAT_SIZE;
        return sizeof(zip_stat_t);
      }
      case ZIP_SOURCE_OPEN:
        position_ = 0;
        return 0;
      case ZIP_SOURCE_READ:
        return read(static_cast<char*>(data), size);
      case ZIP_SOURCE_SEEK: {
        zip_error_t ignored;
        const zip_int64_t to = zip_source_seek_compute_offset(position_, file_.size(), data, size, &ignored);
        if (to >= 0) position_ = static_cast<std::uint64_t>(to);
        return to < 0 ? -1 : 0;
      }
      case ZIP_SOURCE_TELL:
        return static_cast<zip_int64_t>(position_);
      case ZIP_SOURCE_ERROR: {
        const std::array<int, 2> error = {ZIP_ER_READ, 0};
        std::memcpy(data, error.data(), sizeof(error));
        return sizeof(error);
      }
      default:
        return 0;
    }
  }

  zip_int64_t read(char* data, std::size_t size) {
    const Result<std::size_t> count = file_.read_at(position_, {data, size});
    if (!count.ok()) return -1;
    position_ += *count;
    return static_cast<zip_int64_t>(*count);
  }

  const logs::RegularFile& file_;
  std::uint64_t position_ = 0;
};

// libzip takes memory for each part that a directory names, so the number is looked at first; no workbook of
// less than 4 GiB needs the long form (zip64).
Status expect_few_parts(const logs::RegularFile& file) {
  constexpr std::string_view end_of_directory = "PK\x05\x06";
  constexpr std::string_view long_form = "PK\x06\x07";
  constexpr std::size_t longest_end = 65'535 + 22 + 20;
  std::string end(std::min<std::uint64_t>(file.size(), longest_end), '\0');
  QDEDUP_ASSIGN_OR_RETURN(const std::size_t count, file.read_at(file.size() - end.size(), end));
  end.resize(count);
  bool has_many = end.find(long_form) != std::string::npos;
  for (std::size_t at = 0; (at = end.find(end_of_directory, at)) != std::string::npos; ++at) {
    const auto byte = [&](std::size_t i) {
      return at + i < end.size() ? static_cast<unsigned char>(end[at + i]) : 0U;
    };
    has_many = has_many || (byte(10) | byte(11) << 8U) > max_parts;
  }
  return has_many ? bad("has more than 10,000 parts") : Status();
}

class Workbook {
 public:
  static Result<Workbook> open(const logs::RegularFile& file) {
    Workbook workbook(file);
    zip_error_t error;
    zip_error_init(&error);
    zip_source_t* const source = zip_source_function_create(FileSource::serve, workbook.file_.get(), &error);
    if (source != nullptr) workbook.archive_.reset(zip_open_from_source(source, ZIP_RDONLY, &error));
    if (source != nullptr && !workbook.archive_) zip_source_free(source);
    const std::string reason = zip_error_strerror(&error);
    zip_error_fini(&error);
    if (!workbook.archive_) return bad("is no workbook, or damaged: " + reason);
    return workbook;
  }

  // The positions of the worksheets, by their number.
  [[nodiscard]] std::vector<std::uint64_t> sheets() const {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> found;
    for (std::uint64_t i = 0; i < size(); ++i) {
      std::string_view name = name_of(i);
      constexpr std::string_view before = "xl/worksheets/sheet";
      constexpr std::string_view after = ".xml";
      if (!name.starts_with(before) || !name.ends_with(after)) continue;
      name.remove_prefix(before.size());
      name.remove_suffix(after.size());
      if (const auto number = number_of(name)) found.emplace_back(*number, i);
    }
    std::ranges::sort(found);
    std::vector<std::uint64_t> positions;
    positions.reserve(found.size());
    for (const auto& [number, position] : found) positions.push_back(position);
    return positions;
  }

  [[nodiscard]] std::optional<std::uint64_t> shared_texts() const {
    for (std::uint64_t i = 0; i < size(); ++i) {
      if (name_of(i) == "xl/sharedStrings.xml") return i;
    }
    return std::nullopt;
  }

  Status read(std::uint64_t position, PartReader& reader) {
    const std::string name(name_of(position));
    const Part part(zip_fopen_index(archive_.get(), position, 0));
    if (!part) return bad(name + ": " + zip_strerror(archive_.get()));
    PartParser parser(reader);
    std::array<char, 65'536> buffer{};
    while (true) {
      const zip_int64_t count = zip_fread(part.get(), buffer.data(), buffer.size());
      if (count < 0) return bad(name + ": is damaged: " + zip_file_strerror(part.get()));
      unpacked_ += static_cast<std::uint64_t>(count);
      if (unpacked_ > max_unpacked_bytes) return bad("unpacks to more than 16 GiB");
      const Status parsed = parser.parse({buffer.data(), static_cast<std::size_t>(count)}, count == 0);
      if (!parsed.ok()) return Error{parsed.error().code, name + ": " + parsed.error().message};
      if (count == 0) return {};
    }
  }

 private:
  explicit Workbook(const logs::RegularFile& file) : file_(std::make_unique<FileSource>(file)) {}

  [[nodiscard]] std::uint64_t size() const {
    return static_cast<std::uint64_t>(std::max<zip_int64_t>(zip_get_num_entries(archive_.get(), 0), 0));
  }
  [[nodiscard]] std::string_view name_of(std::uint64_t position) const {
    const char* const name = zip_get_name(archive_.get(), position, 0);
    return name == nullptr ? "" : name;
  }

  std::unique_ptr<FileSource> file_;  // that the archive reads
  Archive archive_;
  std::uint64_t unpacked_ = 0;
};

Status read_sheets(const logs::RegularFile& file, const std::function<Status(SheetRow& row)>& take) {
  if (file.size() > max_file_bytes) return bad("is larger than 4 GiB");
  QDEDUP_TRY(expect_few_parts(file));
  QDEDUP_ASSIGN_OR_RETURN(Workbook workbook, Workbook::open(file));
  const std::vector<std::uint64_t> sheets = workbook.sheets();
  if (sheets.empty()) return bad("has no worksheets: is it an XLSX workbook?");
  if (sheets.size() > max_sheets) return bad("has more than 1,000 worksheets");
  SharedTexts shared;
  if (const auto position = workbook.shared_texts()) QDEDUP_TRY(workbook.read(*position, shared));
  for (std::size_t i = 0; i < sheets.size(); ++i) {
    Sheet sheet(i + 1, shared, take);
    QDEDUP_TRY(workbook.read(sheets[i], sheet));
  }
  return {};
}

}  // namespace

bool is_workbook(std::string_view first_bytes) { return first_bytes.starts_with("PK\x03\x04"); }

Status read_workbook(const logs::RegularFile& file, const std::function<Status(SheetRow& row)>& take) {
  std::optional<Error> refused;  // by `take`, which words it itself
  Status done = read_sheets(file, [&](SheetRow& row) {
    Status taken = take(row);
    if (!taken.ok()) refused = taken.error();
    return taken;
  });
  if (refused) return *refused;
  if (done.ok() || done.error().message.starts_with(file.path())) return done;
  return Error{done.error().code, file.path() + ": " + done.error().message};
}

}  // namespace qdedup::import
