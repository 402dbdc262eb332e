#include "import/office_package.h"

#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/workbook_file.h"

namespace qdedup::import {
namespace {

// Collects the names of elements.
class Names final : public XmlContent {
 public:
  Status start(const XmlName& name, const XmlAttributes& /*attributes*/) override {
    names += name.local;
    return {};
  }
  Status end() override { return {}; }
  Status text(std::string_view /*characters*/) override { return {}; }

  std::string names;
};

std::string opened(const std::string& bytes) {
  const auto file = file_of(bytes);
  const auto package = OfficePackage::open(*file);
  return package.ok() ? "open" : package.error().message;
}

// The part that the package's relation of that kind leads to, or the error.
std::string target_of(const std::string& list, const std::string& kind = "officeDocument") {
  const auto file = file_of(zip_of({{"_rels/.rels", list}}));
  auto package = OfficePackage::open(*file);
  const auto all = package->relations_of("");
  if (!all.ok()) return all.error().message;
  const auto part = OfficePackage::only_part(*all, kind);
  return part.ok() ? part->value_or("none") : part.error().message;
}

std::string target(const std::string& given) {
  return target_of(relations(relation("a", "officeDocument", given)));
}

std::string replaced(std::string bytes, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = bytes.find(from, at)) != std::string::npos; at += to.size())
    bytes.replace(at, from.size(), to);
  return bytes;
}

TEST(OfficePackage, TargetsAreResolved) {
  EXPECT_EQ(target("xl/workbook.xml"), "xl/workbook.xml");
  EXPECT_EQ(target("/XL/Workbook.xml"), "xl/workbook.xml");
  EXPECT_EQ(target("./a/../xl//workbook.xml"), "xl/workbook.xml");
  for (const char* const outside : {"../a", "a/../../b", "http://x/y", "a#b", "a?b", "a\\b", "%61", ""})
    EXPECT_EQ(target(outside), "refers to a file outside as its officeDocument") << outside;
}

TEST(OfficePackage, RelationsThatCanBeReadInTwoWaysAreRefused) {
  const std::string here = "_rels/.rels: ";
  EXPECT_EQ(target_of(relations(relation("a", "x", "b") + relation("a", "y", "c"))),
            here + "two relations have the same name, or one has none");
  EXPECT_EQ(target_of(relations(relation("", "x", "b"))),
            here + "two relations have the same name, or one has none");
  EXPECT_EQ(target_of(relations(relation("a", "officeDocument", "b") + relation("b", "officeDocument", "c"))),
            "refers to two parts as its officeDocument");
  EXPECT_EQ(target_of(relations(relation("a", "officeDocument\" TargetMode=\"External", "b"))),
            "refers to a file outside as its officeDocument");
  EXPECT_EQ(target_of(relations("<Choice>" + relation("a", "officeDocument", "b") + "</Choice>")),
            here + "is not a list of relations");
  EXPECT_EQ(target_of("<Relationships/>"), here + "is not a list of relations");
  EXPECT_EQ(target(std::string(5000, 'a')), here + "has a relation whose name is too long");
  EXPECT_EQ(target_of(relations("")), "none");
}

TEST(OfficePackage, PartsOfOneNameAreRefused) {
  EXPECT_EQ(opened(zip_of({{"xl/a.xml", "<a/>"}, {"xl/b.xml", "<b/>"}})), "open");
  for (const char* const name : {"XL/a.xml", "xl/%61.XML", "/xl/a.xml"})
    EXPECT_EQ(opened(zip_of({{"xl/a.xml", "<a/>"}, {name, "<b/>"}})), "has two parts with the name xl/a.xml")
        << name;
  const std::string twice =
      replaced(zip_of({{"xl/a.xml", "<a/>"}, {"xl/b.xml", "<b/>"}}), "xl/b.xml", "xl/a.xml");
  EXPECT_EQ(opened(twice), "has two parts with the name xl/a.xml");
  EXPECT_EQ(opened(zip_of({{"xl/a.xml/[0].piece", "<a/>"}})), "xl/a.xml/[0].piece: is a part in pieces");
}

TEST(OfficePackage, ArchivesThatCanBeReadInTwoWaysAreRefused) {
  const std::string whole = zip_of({{"a.xml", "<a/>"}, {"b.xml", "<b/>"}});
  EXPECT_EQ(opened(whole), "open");
  std::string other_name = whole;  // in the local header
  other_name.replace(other_name.find("a.xml"), 5, "c.xml");
  EXPECT_EQ(opened(other_name), "the directory disagrees about a.xml");
  std::string other_size = whole;
  other_size[22] = static_cast<char>(other_size[22] + 1);
  EXPECT_EQ(opened(other_size), "the directory disagrees about a.xml");
  EXPECT_EQ(opened("x" + whole), "is damaged: its directory is not where it should be");
  EXPECT_EQ(opened(whole + whole), "is damaged: its directory is not where it should be");
  EXPECT_EQ(opened(whole + "x"), "is cut off, or no ZIP archive");
  std::string comment = whole + "x";
  comment[whole.size() - 2] = 1;
  EXPECT_EQ(opened(comment), "has a comment, or two directories");
  std::string around = whole.substr(whole.size() - 22) +
                       whole.substr(whole.size() - 22);  // one ends in the comment of the other
  around[20] = 22;
  EXPECT_EQ(opened(whole.substr(0, whole.size() - 22) + around), "has a comment, or two directories");
  EXPECT_EQ(opened(""), "is cut off");
}

TEST(OfficePackage, DamageIsFoundWhereverItIs) {
  const std::string whole =
      zip_of({{"a.xml", "<a>" + std::string(5000, 'x') + "</a>"}, {"_rels/.rels", relations("")}});
  std::size_t refused = 0;
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x20);
    const auto file = file_of(damaged);
    auto package = OfficePackage::open(*file);
    Names names;
    const bool is_read = package.ok() && package->read("a.xml", names).ok() && package->relations_of("").ok();
    refused += is_read ? 0 : 1;
  }
  EXPECT_GT(refused, whole.size() / 2);  // times, versions and attributes have no effect
}

TEST(OfficePackage, BombsAndWhatIsEncryptedAreRefused) {
  const std::string bomb = zip_of({{"a.xml", "<a>" + std::string(100'000'000, ' ') + "</a>"}});
  const auto file = file_of(bomb);
  auto package = OfficePackage::open(*file);
  ASSERT_TRUE(package.ok()) << package.error().message;
  Names names;
  EXPECT_EQ(package->read("a.xml", names).error().message, "a.xml: unpacks to more than 250 times its size");
  EXPECT_EQ(package->read("b.xml", names).error().message, "b.xml: is referred to, but not there");
  EXPECT_EQ(package->count_unpacked(std::uint64_t{9} << 30U).error().message, "unpacks to more than 8 GiB");

  std::string locked = zip_of({{"a.xml", "<a/>"}});
  locked[6] = static_cast<char>(locked[6] | 1);
  const std::size_t entry = locked.find("PK\x01\x02");
  locked[entry + 8] = static_cast<char>(locked[entry + 8] | 1);
  const auto locked_file = file_of(locked);
  auto locked_package = OfficePackage::open(*locked_file);
  ASSERT_TRUE(locked_package.ok()) << locked_package.error().message;
  EXPECT_EQ(locked_package->read("a.xml", names).error().message, "a.xml: is protected by a password");
}

TEST(OfficePackage, HasAtMostTenThousandParts) {
  std::string many = zip_of({{"a.xml", "<a/>"}});
  const std::size_t end = many.size() - 22;
  many[end + 10] = 17;
  many[end + 11] = 39 + 1;  // 10,257
  EXPECT_EQ(opened(many), "has more than 10,000 parts");
}

}  // namespace
}  // namespace qdedup::import
