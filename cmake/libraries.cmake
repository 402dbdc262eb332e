# Third-party libraries, all from Debian 12.

find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
find_package(ICU REQUIRED COMPONENTS uc)
find_package(nlohmann_json REQUIRED)
pkg_check_modules(XXHASH REQUIRED IMPORTED_TARGET libxxhash)

if(QDEDUP_PYTHON)  # static, see python/CMakeLists.txt
  find_library(QDEDUP_STATIC_ICU libicuuc.a REQUIRED)
  find_library(QDEDUP_STATIC_XXHASH libxxhash.a REQUIRED)
  set_target_properties(ICU::uc PROPERTIES IMPORTED_LOCATION ${QDEDUP_STATIC_ICU} INTERFACE_LINK_LIBRARIES "")
  set_target_properties(PkgConfig::XXHASH PROPERTIES INTERFACE_LINK_LIBRARIES ${QDEDUP_STATIC_XXHASH})
  return()
endif()

find_package(Boost 1.74 REQUIRED)
find_package(SQLite3 REQUIRED)
find_package(SQLiteCpp REQUIRED)
find_package(CLI11 REQUIRED)
find_package(tomlplusplus REQUIRED)
find_package(date REQUIRED)
find_package(spdlog REQUIRED)
pkg_check_modules(PROMETHEUS REQUIRED IMPORTED_TARGET prometheus-cpp-core)
pkg_check_modules(ISAL REQUIRED IMPORTED_TARGET libisal)
pkg_check_modules(SYSTEMD REQUIRED IMPORTED_TARGET libsystemd)
pkg_check_modules(ZSTD REQUIRED IMPORTED_TARGET libzstd)

if(QDEDUP_TESTS)
  find_package(GTest REQUIRED)
  include(GoogleTest)
  enable_testing()
endif()
