#include "import/office_package.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <set>
#include <string_view>
#include <utility>

#include <zip.h>

#include "base/ascii.h"
#include "import/question_reader.h"
#include "import/workbook_limits.h"

namespace qdedup::import {
namespace {

std::string shown_part(const std::string& part) { return excerpt(part, 100); }

// The name by which parts are compared: without %XX, in lower case. One that hides a slash keeps it hidden.
std::string part_name(std::string_view name) {
  std::string plain;
  for (std::size_t at = 0; at < name.size(); ++at) {
    const char c = percent_escape(name.substr(at)).value_or(name[at]);
    const bool is_escaped = c != name[at] && c != '/' && c != '\\' && c != '\0';
    plain += in_lower_case(is_escaped ? c : name[at]);
    if (is_escaped) at += 2;
  }
  return plain;
}

std::string_view folder_of(std::string_view part) {
  const std::size_t slash = part.rfind('/');
  return slash == std::string_view::npos ? std::string_view() : part.substr(0, slash + 1);
}

// The part that a target names, as seen from `part`; empty if it names none, or one by %XX, which some
// programs do not find.
std::string resolved(std::string_view part, std::string_view target) {
  if (target.find_first_of("?#:\\%") != std::string_view::npos) return {};
  std::string path(target.starts_with('/') ? std::string_view() : folder_of(part));
  path += target;
  std::vector<std::string_view> names;
  for (std::string_view rest = path; !rest.empty();) {
    const std::string_view name = take_until(rest, '/');
    if (name == ".." && names.empty()) return {};
    if (name == "..") {
      names.pop_back();
    } else if (!name.empty() && name != ".") {
      names.push_back(name);
    }
  }
  std::string joined;
  for (const std::string_view name : names) joined += (joined.empty() ? "" : "/") + std::string(name);
  return part_name(joined);
}

std::string kind_of(std::string_view type) {
  for (const std::string_view of_office :
       {std::string_view("http://schemas.openxmlformats.org/officeDocument/2006/relationships/"),
        std::string_view("http://purl.oclc.org/ooxml/officeDocument/relationships/")}) {
    if (type.starts_with(of_office)) return std::string(type.substr(of_office.size()));
  }
  return {};
}

class RelationsContent final : public XmlContent {
 public:
  explicit RelationsContent(std::string_view part) : part_(part) {}

  Status start(const XmlName& name, const XmlAttributes& attributes) override {
    constexpr std::string_view space = "http://schemas.openxmlformats.org/package/2006/relationships";
    const std::string_view expected = depth_ == 0 ? "Relationships" : "Relationship";
    if (depth_ > 1 || name.space != space || name.local != expected)
      return bad_workbook("is not a list of relations");
    return ++depth_ == 1 ? Status() : add(attributes);
  }
  Status end() override {
    --depth_;
    return {};
  }
  Status text(std::string_view /*characters*/) override { return {}; }

  std::vector<PartRelation> take() { return std::move(relations_); }

 private:
  Status add(const XmlAttributes& attributes) {
    for (const char* const name : {"Id", "Target"}) {
      if (attributes.find(name).value_or("").size() > workbook_limits::name_bytes)
        return bad_workbook("has a relation whose name is too long");
    }
    PartRelation relation;
    relation.id = attributes.find("Id").value_or("");
    relation.kind = kind_of(attributes.find("Type").value_or(""));
    const bool is_inside = attributes.find("TargetMode").value_or("Internal") == "Internal";
    if (is_inside) relation.part = resolved(part_, attributes.find("Target").value_or(""));
    if (!ids_.insert(relation.id).second || relation.id.empty())
      return bad_workbook("two relations have the same name, or one has none");
    if (relations_.size() == workbook_limits::relations) return bad_workbook("has too many relations");
    relations_.push_back(std::move(relation));
    return {};
  }

  std::string_view part_;
  std::vector<PartRelation> relations_;
  std::set<std::string> ids_;
  int depth_ = 0;
};

struct ClosePart {
  void operator()(zip_file_t* part) const { zip_fclose(part); }
};

// Numbers of ZIP, in little-endian bytes. 0 beyond the end.
std::uint64_t number_at(std::string_view bytes, std::size_t at, std::size_t size) {
  std::uint64_t number = 0;
  for (std::size_t i = size; i > 0 && at + i <= bytes.size(); --i)
    number = number << 8U | static_cast<unsigned char>(bytes[at + i - 1]);
  return number;
}

Result<std::string> bytes_of(const logs::RegularFile& file, std::uint64_t offset, std::uint64_t size) {
  std::string bytes(size, '\0');
  QDEDUP_ASSIGN_OR_RETURN(const std::size_t count, file.read_at(offset, bytes));
  if (count < size) return bad_workbook("is cut off");
  return bytes;
}

constexpr std::size_t end_bytes = 22;  // of the record at the end of an archive without a comment

// That record. There is nothing behind it, and no other place where a program could take the archive to end.
Result<std::string> end_of_archive(const logs::RegularFile& file) {
  constexpr std::uint64_t longest = 65'535 + end_bytes;
  const std::uint64_t size = std::min(file.size(), longest);
  QDEDUP_ASSIGN_OR_RETURN(const std::string end, bytes_of(file, file.size() - size, size));
  if (end.size() < end_bytes) return bad_workbook("is cut off");
  const std::size_t last = end.size() - end_bytes;
  for (std::size_t at = 0; (at = end.find("PK\x05\x06", at)) < last; ++at) {
    if (at + end_bytes + number_at(end, at + 20, 2) == end.size())
      return bad_workbook("has a comment, or two directories");
  }
  if (!end.substr(last).starts_with("PK\x05\x06") || number_at(end, last + 20, 2) != 0)
    return bad_workbook("is cut off, or no ZIP archive");
  return end.substr(last);
}

// That what stands before a part agrees with the part's entry in the directory. Sizes may be left open there.
Status check_local_header(const logs::RegularFile& file, std::string_view entry, std::string_view name) {
  constexpr std::size_t header_bytes = 30;
  QDEDUP_ASSIGN_OR_RETURN(const std::string local,
                          bytes_of(file, number_at(entry, 42, 4), header_bytes + name.size()));
  bool agrees = local.starts_with("PK\x03\x04") && number_at(local, 26, 2) == name.size() &&
                local.substr(header_bytes) == name && number_at(local, 8, 2) == number_at(entry, 10, 2) &&
                ((number_at(local, 6, 2) ^ number_at(entry, 8, 2)) & 1U) == 0;
  for (const std::size_t at : {14U, 18U, 22U}) {  // checksum, size packed, size unpacked
    const std::uint64_t here = number_at(local, at, 4);
    const bool is_open = here == 0xFFFF'FFFF || (here == 0 && (number_at(local, 6, 2) & 8U) != 0);
    agrees = agrees && (is_open || here == number_at(entry, at + 2, 4));
  }
  return agrees ? Status() : bad_workbook("the directory disagrees about " + excerpt(name, 100));
}

// That the directory is all there is: it lies before the end, has few entries, and agrees with the parts.
Status check_directory(const logs::RegularFile& file) {
  QDEDUP_ASSIGN_OR_RETURN(const std::string end, end_of_archive(file));
  const std::uint64_t count = number_at(end, 10, 2);
  const std::uint64_t size = number_at(end, 12, 4);
  if (count > workbook_limits::parts || size > workbook_limits::directory_bytes)
    return bad_workbook("has more than 10,000 parts");
  if (number_at(end, 16, 4) + size + end_bytes != file.size())
    return bad_workbook("is damaged: its directory is not where it should be");
  QDEDUP_ASSIGN_OR_RETURN(const std::string directory, bytes_of(file, number_at(end, 16, 4), size));
  std::string_view rest = directory;
  for (std::uint64_t i = 0; i < count; ++i) {
    constexpr std::size_t entry_bytes = 46;
    const std::size_t name_bytes = number_at(rest, 28, 2);
    const std::size_t all = entry_bytes + name_bytes + number_at(rest, 30, 2) + number_at(rest, 32, 2);
    if (!rest.starts_with("PK\x01\x02") || all > rest.size())
      return bad_workbook("is damaged: its directory is");
    QDEDUP_TRY(check_local_header(file, rest, rest.substr(entry_bytes, name_bytes)));
    rest.remove_prefix(all);
  }
  return rest.empty() ? Status() : bad_workbook("is damaged: its directory is");
}

}  // namespace

// What libzip asks of a file that it reads. It has a position of its own.
class OfficePackage::FileSource {
 public:
  explicit FileSource(const logs::RegularFile& file) : file_(file) {}

  static zip_int64_t serve(void* self, void* data, zip_uint64_t size, zip_source_cmd_t command) {
    return static_cast<FileSource*>(self)->serve(data, size, command);
  }

  // The error that reading the file gave, if it gave one.
  [[nodiscard]] const std::optional<Error>& failure() const { return failure_; }

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
        zip_error_init(&ignored);
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
    if (!count.ok()) {
      failure_ = count.error();
      return -1;
    }
    position_ += *count;
    return static_cast<zip_int64_t>(*count);
  }

  const logs::RegularFile& file_;
  std::uint64_t position_ = 0;
  std::optional<Error> failure_;
};

void OfficePackage::Close::operator()(zip* archive) const { zip_discard(archive); }

OfficePackage::OfficePackage(OfficePackage&& other) noexcept = default;
OfficePackage::~OfficePackage() = default;
OfficePackage::OfficePackage(const logs::RegularFile& file) : file_(std::make_unique<FileSource>(file)) {}

Result<OfficePackage> OfficePackage::open(const logs::RegularFile& file) {
  if (file.size() > workbook_limits::file_bytes) return bad_workbook("is larger than 4 GiB");
  QDEDUP_TRY(check_directory(file));
  OfficePackage package(file);
  zip_error_t error;
  zip_error_init(&error);
  zip_source_t* const source = zip_source_function_create(FileSource::serve, package.file_.get(), &error);
  if (source != nullptr) package.archive_.reset(zip_open_from_source(source, ZIP_RDONLY, &error));
  if (source != nullptr && !package.archive_) zip_source_free(source);
  const std::string reason = zip_error_strerror(&error);
  zip_error_fini(&error);
  if (package.file_->failure()) return *package.file_->failure();
  if (!package.archive_) return bad_workbook("is damaged: " + reason);
  const zip_int64_t entries = zip_get_num_entries(package.archive_.get(), 0);
  for (zip_int64_t i = 0; i < entries; ++i) QDEDUP_TRY(package.add_part(static_cast<std::uint64_t>(i)));
  return package;
}

Status OfficePackage::add_part(std::uint64_t index) {
  const char* const raw = zip_get_name(archive_.get(), index, ZIP_FL_ENC_RAW);
  std::string name = part_name(raw == nullptr ? "" : raw);
  if (name.ends_with('/')) return {};  // a folder
  if (name.starts_with('/')) name.erase(0, 1);
  if (name.ends_with(".piece")) return bad_workbook(shown_part(name) + ": is a part in pieces");
  if (!parts_.emplace(name, index).second)
    return bad_workbook("has two parts with the name " + shown_part(name));
  return {};
}

Result<std::vector<PartRelation>> OfficePackage::relations_of(const std::string& part) {
  const std::string folder(folder_of(part));
  const std::string list = folder + "_rels/" + part.substr(folder.size()) + ".rels";
  RelationsContent content(part);
  if (parts_.contains(list)) QDEDUP_TRY(read(list, content));
  return content.take();
}

Result<std::optional<std::string>> OfficePackage::only_part(const std::vector<PartRelation>& relations,
                                                            const std::string& kind) {
  std::optional<std::string> found;
  for (const PartRelation& relation : relations) {
    if (relation.kind != kind) continue;
    if (found) return bad_workbook("refers to two parts as its " + kind);
    if (relation.part.empty()) return bad_workbook("refers to a file outside as its " + kind);
    found = relation.part;
  }
  return found;
}

Status OfficePackage::read(const std::string& part, XmlContent& content) {
  Status done = unpack(part, content);
  if (file_->failure()) return *file_->failure();
  if (done.ok()) return done;
  return std::move(done).error().within(shown_part(part));
}

Status OfficePackage::unpack(const std::string& part, XmlContent& content) {
  const auto place = parts_.find(part);
  zip_stat_t stat;
  zip_stat_init(&stat);
  if (place == parts_.end() || zip_stat_index(archive_.get(), place->second, 0, &stat) != 0)
    return bad_workbook("is referred to, but not there");
  if (stat.encryption_method != ZIP_EM_NONE) return bad_workbook("is protected by a password");
  if (stat.comp_method != ZIP_CM_STORE && stat.comp_method != ZIP_CM_DEFLATE)
    return bad_workbook("is packed in an unusual way");
  if (stat.size > workbook_limits::free_of_ratio && stat.size / workbook_limits::ratio > stat.comp_size)
    return bad_workbook("unpacks to more than 250 times its size");
  const std::unique_ptr<zip_file_t, ClosePart> file(zip_fopen_index(archive_.get(), place->second, 0));
  if (!file) return bad_workbook("is damaged: " + std::string(zip_strerror(archive_.get())));
  XmlParser parser(content);
  std::array<char, 32'768> buffer{};
  for (std::uint64_t read = 0;;) {
    const zip_int64_t count = zip_fread(file.get(), buffer.data(), buffer.size());
    if (count < 0) return bad_workbook("is damaged: " + std::string(zip_file_strerror(file.get())));
    read += static_cast<std::uint64_t>(count);
    if (read > stat.size) return bad_workbook("is longer than the archive says");
    QDEDUP_TRY(count_unpacked(static_cast<std::uint64_t>(count)));
    QDEDUP_TRY(parser.parse({buffer.data(), static_cast<std::size_t>(count)}, count == 0));
    if (count == 0) return {};
  }
}

Status OfficePackage::count_unpacked(std::uint64_t bytes) {
  unpacked_ += bytes;
  if (unpacked_ > workbook_limits::unpacked_bytes) return bad_workbook("unpacks to more than 8 GiB");
  return {};
}

}  // namespace qdedup::import
