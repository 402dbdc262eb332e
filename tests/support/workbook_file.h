#pragma once

#include <string>
#include <utility>
#include <vector>

#include <sys/mman.h>
#include <unistd.h>
#include <zip.h>

#include "base/file_descriptor.h"
#include "logs/files.h"

namespace qdedup {

using WorkbookParts = std::vector<std::pair<std::string, std::string>>;

// A ZIP archive of these parts by name, as bytes.
inline std::string zip_of(const WorkbookParts& parts) {
  zip_error_t error;
  zip_error_init(&error);
  zip_source_t* const buffer = zip_source_buffer_create(nullptr, 0, 0, &error);
  zip_t* const archive = zip_open_from_source(buffer, ZIP_TRUNCATE, &error);
  zip_source_keep(buffer);
  for (const auto& [name, content] : parts) {
    zip_source_t* const part = zip_source_buffer(archive, content.data(), content.size(), 0);
    const zip_int64_t index = zip_file_add(archive, name.c_str(), part, ZIP_FL_OVERWRITE);
    zip_file_set_mtime(archive, static_cast<zip_uint64_t>(index), 315'532'800,
                       0);  // 1980, as workbooks have it
  }
  zip_close(archive);
  zip_stat_t stat;
  zip_source_stat(buffer, &stat);
  std::string bytes(stat.size, '\0');
  zip_source_open(buffer);
  zip_source_read(buffer, bytes.data(), bytes.size());
  zip_source_close(buffer);
  zip_source_free(buffer);
  zip_error_fini(&error);
  return bytes;
}

// An open file in memory that holds `bytes`.
inline Result<logs::RegularFile> file_of(const std::string& bytes) {
  FileDescriptor file(memfd_create("workbook", MFD_CLOEXEC));
  const ssize_t written = ::write(file.number(), bytes.data(), bytes.size());
  if (written != static_cast<ssize_t>(bytes.size())) return Error{ErrorCode::io, "memory: cannot be written"};
  return logs::RegularFile::adopt(std::move(file), "list.xlsx");
}

inline constexpr const char* spreadsheet_space = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
inline constexpr const char* relation_space =
    "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

// <Relationship …/> of a part by its kind, such as "worksheet".
inline std::string relation(const std::string& id, const std::string& kind, const std::string& target) {
  return "<Relationship Id=\"" + id + "\" Type=\"" + relation_space + "/" + kind + "\" Target=\"" + target +
         "\"/>";
}

inline std::string relations(const std::string& content) {
  return "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\">" + content +
         "</Relationships>";
}

// A part of SpreadsheetML with this root.
inline std::string sheet_ml(const std::string& root, const std::string& content) {
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?><" + root + " xmlns=\"" + spreadsheet_space +
         "\" xmlns:r=\"" + relation_space +
         "\" xmlns:mc=\"http://schemas.openxmlformats.org/markup-compatibility/2006\">" + content + "</" +
         root + ">";
}

// The parts of a workbook with one sheet of this content, beside shared texts and styles.
inline WorkbookParts workbook_parts(const std::string& sheet, const std::string& texts = "",
                                    const std::string& styles = "") {
  return {{"_rels/.rels", relations(relation("rId1", "officeDocument", "xl/workbook.xml"))},
          {"xl/workbook.xml",
           sheet_ml("workbook", "<sheets><sheet name=\"deletions\" sheetId=\"1\" r:id=\"rId1\"/></sheets>")},
          {"xl/_rels/workbook.xml.rels", relations(relation("rId1", "worksheet", "worksheets/sheet1.xml") +
                                                   relation("rId2", "sharedStrings", "sharedStrings.xml") +
                                                   relation("rId3", "styles", "styles.xml"))},
          {"xl/worksheets/sheet1.xml", sheet_ml("worksheet", sheet)},
          {"xl/sharedStrings.xml", sheet_ml("sst", texts)},
          {"xl/styles.xml", sheet_ml("styleSheet", styles)}};
}

}  // namespace qdedup
