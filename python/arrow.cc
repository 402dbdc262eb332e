#include "python/arrow.h"

#include <algorithm>
#include <array>
#include <utility>

namespace qdedup::python {
namespace {

// Texts as polars has them: in place up to 12 bytes, else in one of the buffers after the first two.
struct TextView {
  std::int32_t size;
  std::array<char, 4> prefix;
  std::int32_t buffer;
  std::int32_t offset;
};
constexpr std::int32_t max_bytes_in_place = 12;

constexpr std::int64_t nullable = 2;  // a flag of a schema

template <class Offset>
std::string_view between(const Offset* offsets, const void* bytes, std::int64_t i) {
  return {static_cast<const char*>(bytes) + offsets[i],
          static_cast<std::size_t>(offsets[i + 1] - offsets[i])};
}

}  // namespace

bool ArrowSlice::is_null(std::int64_t i) const {
  if (format() == "n") return true;
  if (array_->null_count == 0 || array_->n_buffers == 0 || array_->buffers[0] == nullptr) return false;
  const auto place = static_cast<std::uint64_t>(begin_ + i);
  return (static_cast<const std::uint8_t*>(array_->buffers[0])[place / 8] >> place % 8 & 1) == 0;
}

bool ArrowSlice::has_null() const {
  for (std::int64_t i = 0; i < size_; ++i) {
    if (is_null(i)) return true;
  }
  return false;
}

std::optional<ArrowSlice> ArrowSlice::child(std::string_view name) const {
  if (format() != "+s") return std::nullopt;
  for (std::int64_t i = 0; i < schema_->n_children; ++i) {
    if (schema_->children[i]->name != name) continue;
    return ArrowSlice(*schema_->children[i], *array_->children[i], begin_, size_);
  }
  return std::nullopt;
}

std::optional<ArrowSlice> ArrowSlice::only_child() const {
  if (format() != "+s" || schema_->n_children != 1 || has_null()) return std::nullopt;
  return child(schema_->children[0]->name);
}

ArrowSlice ArrowSlice::list(std::int64_t i) const {
  const auto within = [&](const auto* offsets) {
    return ArrowSlice(*schema_->children[0], *array_->children[0], offsets[i], offsets[i + 1] - offsets[i]);
  };
  return format() == "+l" ? within(values<std::int32_t>(1)) : within(values<std::int64_t>(1));
}

bool ArrowSlice::is_text() const {
  constexpr std::array<std::string_view, 7> formats = {"u", "z", "U", "Z", "vu", "vz", "n"};
  return std::ranges::find(formats, format()) != formats.end();
}

std::string_view ArrowSlice::text(std::int64_t i) const {
  if (is_null(i)) return {};
  if (format() == "u" || format() == "z") return between(values<std::int32_t>(1), array_->buffers[2], i);
  if (format() == "U" || format() == "Z") return between(values<std::int64_t>(1), array_->buffers[2], i);
  const TextView& view = values<TextView>(1)[i];
  const auto size = static_cast<std::size_t>(view.size);
  if (view.size <= max_bytes_in_place) return {view.prefix.data(), size};
  return {static_cast<const char*>(array_->buffers[2 + view.buffer]) + view.offset, size};
}

bool ArrowSlice::is_integer() const {
  constexpr std::string_view formats = "cCsSiIlL";
  return format().size() == 1 && formats.find(format().front()) != std::string_view::npos;
}

std::int64_t ArrowSlice::integer(std::int64_t i) const {
  switch (format().front()) {
    case 'c':
      return values<std::int8_t>(1)[i];
    case 'C':
      return values<std::uint8_t>(1)[i];
    case 's':
      return values<std::int16_t>(1)[i];
    case 'S':
      return values<std::uint16_t>(1)[i];
    case 'i':
      return values<std::int32_t>(1)[i];
    case 'I':
      return values<std::uint32_t>(1)[i];
    default:
      return values<std::int64_t>(1)[i];
  }
}

const std::int64_t* ArrowSlice::integers() const {
  return format() == "l" || format() == "L" ? values<std::int64_t>(1) : nullptr;
}

double ArrowSlice::real(std::int64_t i) const {
  return format() == "g" ? values<double>(1)[i] : static_cast<double>(values<float>(1)[i]);
}

struct ArrowColumn::Data {
  std::string format;
  std::int64_t size = 0;
  std::vector<std::int64_t> integers;  // or the ends of lists or texts, from 0 on
  std::vector<double> reals;
  std::string bytes;
  std::vector<std::pair<std::string, std::shared_ptr<const Data>>> children;
  std::vector<std::uint8_t> present = {};  // bits; used where there are nulls
  std::int64_t nulls = 0;
};

ArrowColumn ArrowColumn::of(std::vector<std::int64_t> integers) {
  const auto size = static_cast<std::int64_t>(integers.size());
  return ArrowColumn(std::make_shared<Data>(Data{"l", size, std::move(integers), {}, {}, {}}));
}

ArrowColumn ArrowColumn::of(std::vector<double> reals) {
  const auto size = static_cast<std::int64_t>(reals.size());
  return ArrowColumn(std::make_shared<Data>(Data{"g", size, {}, std::move(reals), {}, {}}));
}

ArrowColumn ArrowColumn::of(const std::vector<std::optional<std::string>>& texts) {
  Data data{"U", static_cast<std::int64_t>(texts.size()), {0}, {}, {}, {}};
  data.present.resize((texts.size() + 7) / 8);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    data.bytes += texts[i].value_or("");
    data.integers.push_back(static_cast<std::int64_t>(data.bytes.size()));
    data.present[i / 8] |= static_cast<std::uint8_t>(texts[i].has_value() << i % 8);
    data.nulls += texts[i] ? 0 : 1;
  }
  return ArrowColumn(std::make_shared<Data>(std::move(data)));
}

ArrowColumn ArrowColumn::lists(std::vector<std::int64_t> elements, const std::vector<std::size_t>& ends) {
  Data data{"+L", static_cast<std::int64_t>(ends.size()), {0}, {}, {}, {}};
  data.integers.insert(data.integers.end(), ends.begin(), ends.end());
  data.children.emplace_back("item", of(std::move(elements)).data_);
  return ArrowColumn(std::make_shared<Data>(std::move(data)));
}

ArrowColumn ArrowColumn::record(std::vector<Field> fields) {
  Data data{"+s", fields.front().column.size(), {}, {}, {}, {}};
  for (Field& field : fields)
    data.children.emplace_back(std::move(field.name), std::move(field.column.data_));
  return ArrowColumn(std::make_shared<Data>(std::move(data)));
}

std::int64_t ArrowColumn::size() const { return data_->size; }

void ArrowColumn::give(ArrowSchema& schema, ArrowArray& array) const {
  give(data_, "", schema);
  give(data_, array);
}

namespace {

// What a schema or an array that was given away points to.
template <class Struct>
struct Given {
  std::shared_ptr<const void> data;
  std::string name;
  std::array<const void*, 3> buffers{};
  std::vector<Struct> children;
  std::vector<Struct*> children_places;

  explicit Given(std::size_t count) : children(count) {
    for (Struct& child : children) children_places.push_back(&child);
  }

  static void release(Struct* given) {
    for (std::int64_t i = 0; i < given->n_children; ++i) {
      if (given->children[i]->release != nullptr) given->children[i]->release(given->children[i]);
    }
    const std::unique_ptr<Given> freed(static_cast<Given*>(given->private_data));
    given->release = nullptr;
  }
};

}  // namespace

void ArrowColumn::give(const std::shared_ptr<const Data>& data, const std::string& name,
                       ArrowSchema& schema) {
  auto given = std::make_unique<Given<ArrowSchema>>(data->children.size());
  given->data = data;
  given->name = name;
  for (std::size_t i = 0; i < data->children.size(); ++i) {
    give(data->children[i].second, data->children[i].first, given->children[i]);
  }
  schema = {.format = data->format.c_str(),
            .name = given->name.c_str(),
            .metadata = nullptr,
            .flags = data->nulls > 0 ? nullable : 0,
            .n_children = static_cast<std::int64_t>(data->children.size()),
            .children = given->children_places.data(),
            .dictionary = nullptr,
            .release = Given<ArrowSchema>::release,
            .private_data = nullptr};
  schema.private_data = given.release();
}

void ArrowColumn::give(const std::shared_ptr<const Data>& data, ArrowArray& array) {
  auto given = std::make_unique<Given<ArrowArray>>(data->children.size());
  given->data = data;
  for (std::size_t i = 0; i < data->children.size(); ++i) give(data->children[i].second, given->children[i]);
  if (data->nulls > 0) given->buffers[0] = data->present.data();
  if (data->format == "g") {
    given->buffers[1] = data->reals.data();
  } else {
    given->buffers[1] = data->integers.data();
  }
  given->buffers[2] = data->bytes.data();
  const std::int64_t buffers = data->format == "+s" ? 1 : data->format == "U" ? 3 : 2;
  array = {.length = data->size,
           .null_count = data->nulls,
           .offset = 0,
           .n_buffers = buffers,
           .n_children = static_cast<std::int64_t>(data->children.size()),
           .buffers = given->buffers.data(),
           .children = given->children_places.data(),
           .dictionary = nullptr,
           .release = Given<ArrowArray>::release,
           .private_data = nullptr};
  array.private_data = given.release();
}

}  // namespace qdedup::python
