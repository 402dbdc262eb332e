# Warnings and sanitizers of every target, and the two shapes of target that the project has.

add_library(qdedup_options INTERFACE)
target_include_directories(qdedup_options INTERFACE ${PROJECT_SOURCE_DIR})
target_compile_options(qdedup_options INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Werror)
if(QDEDUP_PYTHON)
  target_compile_options(qdedup_options INTERFACE -fPIC -fvisibility=hidden)
else()
  target_compile_options(qdedup_options INTERFACE $<$<NOT:$<STREQUAL:$<TARGET_PROPERTY:TYPE>,MODULE_LIBRARY>>:-fPIE>)
endif()
target_link_options(qdedup_options INTERFACE $<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:-pie>)
if(NOT QDEDUP_SANITIZE)
  # What makes a defect harder to exploit; sanitizers would rather find it. tests/package/hardening_test.py looks for it.
  include(CheckCXXCompilerFlag)
  check_cxx_compiler_flag(-fcf-protection QDEDUP_HAS_CF_PROTECTION)  # not on every processor
  target_compile_options(qdedup_options INTERFACE -fstack-protector-strong -fstack-clash-protection
    $<$<BOOL:${QDEDUP_HAS_CF_PROTECTION}>:-fcf-protection>
    $<$<NOT:$<CONFIG:Debug>>:-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3>)  # which needs optimisation
  target_link_options(qdedup_options INTERFACE -Wl,-z,relro,-z,now,-z,noexecstack)
endif()
if(NOT CMAKE_UNITY_BUILD OR CMAKE_CXX_COMPILER_ID STREQUAL Clang)
  # To GCC, a parameter that has the name of another file's function shadows it.
  target_compile_options(qdedup_options INTERFACE -Wshadow)
endif()
if(QDEDUP_SANITIZE)
  target_compile_definitions(qdedup_options INTERFACE QDEDUP_SANITIZED)
  target_compile_options(qdedup_options INTERFACE
    -fsanitize=${QDEDUP_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(qdedup_options INTERFACE -fsanitize=${QDEDUP_SANITIZE} -fuse-ld=lld)
endif()

# qdedup_library(NAME [HEAVY] SOURCES … PUBLIC … PRIVATE …): the library of one folder, as target qdedup_NAME. With sanitizers, only
# HEAVY ones, which compute most, are optimised: the others compile in a third of the time.
function(qdedup_library name)
  cmake_parse_arguments(arg "HEAVY" "" "SOURCES;PUBLIC;PRIVATE" ${ARGN})
  add_library(qdedup_${name} STATIC ${arg_SOURCES})
  target_link_libraries(qdedup_${name} PUBLIC qdedup_options ${arg_PUBLIC} PRIVATE ${arg_PRIVATE})
  if(QDEDUP_SANITIZE AND NOT arg_HEAVY)
    target_compile_options(qdedup_${name} PRIVATE -O0)
  endif()
  if(QDEDUP_FUZZ)
    target_compile_options(qdedup_${name} PRIVATE -fsanitize=fuzzer-no-link)
  endif()
endfunction()

# qdedup_test(NAME [HEAVY] SOURCES … LIBRARIES …): the GoogleTest program of one folder, as target NAME_test. HEAVY ones compute much
# of their own, so that they gain more from optimisation than compiling it takes.
find_program(QDEDUP_CLANG clang++)
function(qdedup_test name)
  cmake_parse_arguments(arg "HEAVY" "" "SOURCES;LIBRARIES" ${ARGN})
  add_executable(${name}_test ${arg_SOURCES})
  if(arg_HEAVY)
    target_compile_options(${name}_test PRIVATE $<$<CONFIG:RelWithDebInfo>:-O1>)  # in three quarters of the time of -O2
  else()
    target_compile_options(${name}_test PRIVATE -O0)
    if(QDEDUP_CLANG AND NOT QDEDUP_SANITIZE)  # half of the time that GCC takes for the same
      set_target_properties(${name}_test PROPERTIES CXX_COMPILER_LAUNCHER "sh;-c;exec '${QDEDUP_CLANG}' \"$@\"")
    endif()
  endif()
  target_link_libraries(${name}_test PRIVATE qdedup_options twins ${arg_LIBRARIES} GTest::gmock GTest::gtest_main)
  # 5 seconds, the default, are few on a busy machine.
  gtest_discover_tests(${name}_test TEST_PREFIX "${name}/" DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 600 PROPERTIES LABELS unit)
endfunction()

# qdedup_fuzz(NAME SOURCES … LIBRARIES …): one libFuzzer program, as target fuzz_NAME; target fuzzers is all of them.
if(QDEDUP_FUZZ)
  add_custom_target(fuzzers)
endif()
function(qdedup_fuzz name)
  cmake_parse_arguments(arg "" "" "SOURCES;LIBRARIES" ${ARGN})
  add_executable(fuzz_${name} ${arg_SOURCES})
  target_compile_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
  target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
  target_link_libraries(fuzz_${name} PRIVATE qdedup_options ${arg_LIBRARIES})
  add_dependencies(fuzzers fuzz_${name})
endfunction()
