// Preloaded into a program: its allocation number FAULT_ALLOCATION fails, or with FAULT_ALLOCATION_ALL that
// and all after it, counted from the start of main. How many there were goes to the file FAULT_ALLOCATIONS at
// the end.
#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <cstddef>
#include <cstdlib>

#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

extern "C" {
void* __libc_malloc(std::size_t size);                     // NOLINT(bugprone-reserved-identifier): glibc's
void* __libc_calloc(std::size_t count, std::size_t size);  // NOLINT(bugprone-reserved-identifier)
void* __libc_realloc(void* memory, std::size_t size);      // NOLINT(bugprone-reserved-identifier)
void* __libc_memalign(std::size_t alignment, std::size_t size);  // NOLINT(bugprone-reserved-identifier)
}

namespace {

using Main = int (*)(int, char**, char**);

std::atomic<bool> counting = false;
std::atomic<unsigned long> allocations = 0;
unsigned long failing = 0;
bool all_after = false;
Main real_main = nullptr;

bool fails() {
  if (!counting.load(std::memory_order_relaxed)) return false;
  const unsigned long number = allocations.fetch_add(1, std::memory_order_relaxed) + 1;
  const bool met = failing != 0 && (all_after ? number >= failing : number == failing);
  if (met) errno = ENOMEM;
  return met;
}

void tell() {
  counting = false;
  const char* path = std::getenv("FAULT_ALLOCATIONS");
  const int file = path == nullptr ? -1 : ::open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (file < 0) return;
  std::array<char, 32> digits{};
  const auto end = std::to_chars(digits.begin(), digits.end(), allocations.load()).ptr;
  if (::write(file, digits.data(), static_cast<std::size_t>(end - digits.data())) < 0) std::abort();
  ::close(file);
}

int counted_main(int argc, char** argv, char** environment) {
  const char* number = std::getenv("FAULT_ALLOCATION");
  failing = number == nullptr ? 0 : std::strtoul(number, nullptr, 10);
  all_after = std::getenv("FAULT_ALLOCATION_ALL") != nullptr;
  std::atexit(tell);
  counting = true;
  return real_main(argc, argv, environment);
}

}  // namespace

extern "C" {

void* malloc(std::size_t size) { return fails() ? nullptr : __libc_malloc(size); }

void* calloc(std::size_t count, std::size_t size) { return fails() ? nullptr : __libc_calloc(count, size); }

void* realloc(void* memory, std::size_t size) { return fails() ? nullptr : __libc_realloc(memory, size); }

void* aligned_alloc(std::size_t alignment, std::size_t size) {
  return fails() ? nullptr : __libc_memalign(alignment, size);
}

int posix_memalign(void** where, std::size_t alignment, std::size_t size) {
  *where = fails() ? nullptr : __libc_memalign(alignment, size);
  return *where == nullptr ? ENOMEM : 0;
}

// NOLINTNEXTLINE(bugprone-reserved-identifier): what glibc starts a program with
int __libc_start_main(Main main, int argc, char** argv, void (*init)(), void (*fini)(), void (*loader_fini)(),
                      void* stack) {
  real_main = main;
  using Start = int (*)(Main, int, char**, void (*)(), void (*)(), void (*)(), void*);
  const auto start = reinterpret_cast<Start>(::dlsym(RTLD_NEXT, "__libc_start_main"));
  return start(counted_main, argc, argv, init, fini, loader_fini, stack);
}

}  // extern "C"
