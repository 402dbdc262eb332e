#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "import/xml_parser.h"
#include "logs/files.h"

struct zip;

namespace qdedup::import {

// What a part of a package, or the package itself, refers to.
struct PartRelation {
  std::string id;
  std::string kind;  // the end of its type, such as "worksheet"; empty if it is not one of Office Open XML
  std::string part;  // empty if it is outside the package, or names none
};

// The parts of an Office Open XML file (ECMA-376 part 2: a ZIP archive whose parts refer to each other).
// Where two programs could take different bytes for the same part, the file is refused with ErrorCode::data:
// two parts or relations of one name (however it is written), local headers that differ from the directory,
// two directories, parts in pieces. So are encrypted and otherwise packed parts, what unpacks to much more
// than it should (workbook_limits), and damaged parts. Errors do not begin with the path.
class OfficePackage {
 public:
  // `file` must outlive it.
  static Result<OfficePackage> open(const logs::RegularFile& file);
  OfficePackage(OfficePackage&& other) noexcept;
  OfficePackage& operator=(OfficePackage&& other) = delete;
  ~OfficePackage();

  // The relations of a part; of the package if `part` is empty. None where there are none.
  Result<std::vector<PartRelation>> relations_of(const std::string& part);

  // The part that is the only one in such a relation; none if there is no such relation.
  static Result<std::optional<std::string>> only_part(const std::vector<PartRelation>& relations,
                                                      const std::string& kind);

  // Passes an XML part to `content`.
  Status read(const std::string& part, XmlContent& content);

  // Counts bytes that come from a part once more.
  Status count_unpacked(std::uint64_t bytes);

 private:
  class FileSource;
  struct Close {
    void operator()(zip* archive) const;
  };

  explicit OfficePackage(const logs::RegularFile& file);
  Status add_part(std::uint64_t index);
  Status unpack(const std::string& part, XmlContent& content);

  std::unique_ptr<FileSource> file_;  // that the archive reads
  std::unique_ptr<zip, Close> archive_;
  std::map<std::string, std::uint64_t> parts_;  // positions, by name
  std::uint64_t unpacked_ = 0;                  // bytes
};

}  // namespace qdedup::import
