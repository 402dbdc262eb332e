#pragma once

#include <map>
#include <string>
#include <vector>

#include <sys/mman.h>
#include <unistd.h>
#include <zip.h>

#include "base/file_descriptor.h"
#include "logs/files.h"

namespace qdedup {

// A zip archive of these parts by name, as bytes.
inline std::string zip_of(const std::map<std::string, std::string>& parts) {
  zip_error_t error;
  zip_error_init(&error);
  zip_source_t* const buffer = zip_source_buffer_create(nullptr, 0, 0, &error);
  zip_t* const archive = zip_open_from_source(buffer, ZIP_TRUNCATE, &error);
  zip_source_keep(buffer);
  for (const auto& [name, content] : parts) {
    zip_source_t* const part = zip_source_buffer(archive, content.data(), content.size(), 0);
    zip_file_add(archive, name.c_str(), part, ZIP_FL_OVERWRITE);
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

}  // namespace qdedup
