#include <cerrno>
#include <ostream>
#include <vector>

#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/escaped.h"
#include "base/file_descriptor.h"
#include "base/user_name.h"
#include "cli/commands.h"
#include "cli/output_file.h"
#include "config/reviewers.h"

namespace qdedup::cli {
namespace {

using config::Reviewer;

Result<std::string> reviewers_file(const CommandContext& context) {
  const std::string& path = context.settings().http.reviewers_file;
  if (!path.empty()) return path;
  return Error{ErrorCode::config,
               "[http] reviewers_file names no file; name one in the config, and give --config FILE"};
}

// The file, which nobody else changes meanwhile; with O_CREAT for `creation` it is made if it is missing.
// Replacing it makes it another one, so who waited looks again.
Result<FileDescriptor> lock(const std::string& path, int creation) {
  while (true) {
    const int flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | creation;
    FileDescriptor file(::open(path.c_str(), flags, 0600));  // NOLINT(*-vararg)
    if (!file.open() && errno == ENOENT && creation == 0) return config::no_reviewers(path);
    if (!file.open()) return errno_error(path, errno);
    struct stat locked {};
    struct stat there {};
    if (::flock(file.number(), LOCK_EX) != 0 || ::fstat(file.number(), &locked) != 0)
      return errno_error(path, errno);
    if (::stat(path.c_str(), &there) != 0 || locked.st_ino != there.st_ino || locked.st_dev != there.st_dev)
      continue;
    if (locked.st_uid == ::geteuid()) return file;
    const std::string owner = unix_user(locked.st_uid);
    std::string message = path;
    message.append(": belongs to ").append(owner).append(", for whom only ").append(owner);
    message.append(" may replace it: sudo -u ").append(owner).append(" qdedup …");
    return Error{ErrorCode::cannot_create, std::move(message)};
  }
}

Status write_reviewers(const CommandContext& context, const std::string& path,
                       const std::vector<Reviewer>& reviewers) {
  return write_output(path, context.folder(), context.out(), [&](std::ostream& out) {
    out << config::text_of(reviewers);
    return Status();
  });
}

Result<int> add(const std::string& name, const CommandContext& context) {
  QDEDUP_ASSIGN_OR_RETURN(const std::string path, reviewers_file(context));
  QDEDUP_TRY(db::output_place(path, context.folder()));
  QDEDUP_ASSIGN_OR_RETURN(const FileDescriptor locked, lock(path, O_CREAT));
  QDEDUP_ASSIGN_OR_RETURN(std::vector<Reviewer> reviewers, config::read_reviewers(path));
  if (config::find_reviewer(reviewers, name) != nullptr) {
    return Error{ErrorCode::data, name + " is a reviewer already; for another key, remove them first"};
  }
  const std::string key = config::new_key();
  QDEDUP_ASSIGN_OR_RETURN(std::string hash, config::hash_of(key));
  reviewers.push_back({name, std::move(hash)});
  QDEDUP_TRY(write_reviewers(context, path, reviewers));
  if (context.json()) {
    print_json(context.out(), Json{{"name", name}, {"key", key}});
    return 0;
  }
  context.out() << key << '\n';
  if (!context.quiet()) {
    context.err() << "qdedup: this is the key of " << Verbatim{escaped(name)}
                  << ", shown now only: hand it over\n";
  }
  return 0;
}

Result<int> remove(const std::string& name, const CommandContext& context) {
  QDEDUP_ASSIGN_OR_RETURN(const std::string path, reviewers_file(context));
  QDEDUP_ASSIGN_OR_RETURN(const FileDescriptor locked, lock(path, 0));
  QDEDUP_ASSIGN_OR_RETURN(std::vector<Reviewer> reviewers, config::read_reviewers(path));
  if (std::erase_if(reviewers, [&](const Reviewer& each) { return each.name == name; }) == 0) {
    return Error{ErrorCode::no_input, path + ": there is no reviewer " + escaped(name)};
  }
  QDEDUP_TRY(write_reviewers(context, path, reviewers));
  return 0;
}

Result<int> list(const CommandContext& context) {
  QDEDUP_ASSIGN_OR_RETURN(const std::string path, reviewers_file(context));
  QDEDUP_ASSIGN_OR_RETURN(const std::vector<Reviewer> reviewers, config::read_reviewers(path));
  Json names = Json::array();
  for (const Reviewer& each : reviewers) names.push_back(each.name);
  if (context.json()) {
    print_json(context.out(), Json{{"reviewers", names}});
  } else {
    for (const Reviewer& each : reviewers) context.out() << each.name << '\n';
  }
  return 0;
}

CLI::Validator name_of_reviewer() {
  return {[](const std::string& name) -> std::string {
            if (config::may_be_reviewer(name)) return "";
            return "a name is UTF-8 without control and format characters or blanks at its ends, at most 64 "
                   "bytes";
          },
          ""};
}

void add_naming_command(CLI::App& reviewer, Command& chosen, const char* command_name, const char* meaning,
                        Result<int> (*run)(const std::string& name, const CommandContext& context)) {
  auto name = std::make_shared<std::string>();
  CLI::App* command = reviewer.add_subcommand(command_name, meaning);
  command->add_option("NAME", *name, "The reviewer's name, as the audit will have it")
      ->required()
      ->check(name_of_reviewer());
  command->callback([name, run, &chosen] { chosen.run = with_options(name, run); });
}

}  // namespace

void add_reviewer_command(CLI::App& app, Command& chosen) {
  CLI::App* reviewer =
      app.add_subcommand("reviewer", "Who may sign in on the review page: the file of [http] reviewers_file");
  reviewer->require_subcommand(1);
  reviewer->fallthrough();
  add_naming_command(*reviewer, chosen, "add", "Let somebody in, with a key that is made and printed", add);
  add_naming_command(*reviewer, chosen, "remove", "Revoke a reviewer's access, and end their sessions",
                     remove);
  reviewer->add_subcommand("list", "Their names, one a line")->callback([&chosen] { chosen.run = list; });
}

}  // namespace qdedup::cli
