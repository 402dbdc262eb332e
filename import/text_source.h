#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>

#include "base/result.h"
#include "logs/byte_source.h"

namespace qdedup::import {

// The encodings that a file may have, as named in options. gbk and gb2312 are read as gb18030, which includes
// all their characters; utf-16 needs a byte-order mark.
inline constexpr std::array<const char*, 7> encodings = {"utf-8",  "gb18030",  "gbk",     "gb2312",
                                                         "utf-16", "utf-16le", "utf-16be"};

// The text of `source` in UTF-8. `encoding` is one of `encodings`; where it is empty or none, it must be
// UTF-8, and text that seems to be in another encoding is ErrorCode::data, which suggests --encoding if it is
// empty. So are XLSX workbooks and other files that are not text. `unpacked` tells how the file was packed.
// Errors begin with `name`. Bytes that cannot be decoded become a byte that is not UTF-8.
Result<std::unique_ptr<logs::ByteSource>> as_utf8(std::unique_ptr<logs::ByteSource> source,
                                                  const std::string& name,
                                                  const std::optional<std::string>& encoding,
                                                  logs::Compression unpacked = logs::Compression::none);

}  // namespace qdedup::import
