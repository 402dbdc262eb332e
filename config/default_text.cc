#include "config/settings.h"

namespace qdedup::config {

std::string_view default_settings_text() {
  return R"toml(# qdedup: what it reads, what it calls a duplicate, and when it works.
# Every key is shown with its default. `qdedup config check` finds mistakes, `qdedup config dump` prints what is in force.

[logs]
# The logs of the search engine, as globs that match rotated and compressed generations (.gz, .zst) too: ["/var/log/search/search.log*"]
paths = []
# "array": each line is the list of results, [[1380777178,0.306],[1589879284,0.303]]
# "object": each line is a JSON object with that list at `pointer`
# "embedded": each line is text with that list in it
format = "array"
# JSON pointer (RFC 6901) to the list, for format = "object": "/hits/hits"
pointer = "/results"
# JSON pointers to the id and the score within each result, where that is not a pair [id, score]: "/_id" and "/_score"
# for [{"_id":1380777178,"_score":0.306}]; "" and "" for pairs
id = ""
score = ""
# Ids and scores may be strings: ["1380777178","0.306"]
quoted_numbers = false
# "listed": lists have their best result first; "score": they do not, and are put in order of their scores
order = "listed"
# Longer lines are rejected, and counted as "too_long".
max_line_bytes = 1048576

[selection]
# Lists are selected when they are mined: a change holds for what is mined from then on.
# A result list is selected when its best score is at least min_top_score ...
min_top_score = 0.5
# ... and at least two results score min_score. Scores of another engine lie on another scale.
min_score = 0.3

[merge]
# Result lists that share questions are merged into clusters of at most this many questions.
max_cluster_size = 200

[text]
# "plain": questions are compared as they are; "auto": HTML, LaTeX and marks of figures in them are read first. `qdedup text FILE`
# shows what becomes of a text.
markup = "plain"
# "keep", or "drop": numbers, scores and sources in front of a question do not count, nor how its options are marked.
numbering = "keep"

[refine]
# Questions with equal numbers, letters and signs are duplicates when their Chinese parts are this similar, in percent.
min_similarity = 80
# "levenshtein": by insertions, deletions and replacements; "lcs": by the longest common subsequence; "jaccard" and "cosine": by
# what they have in common, wherever it stands (below)
similarity = "levenshtein"
# "equal", or "any": numbers, letters and signs do not count
signs = "equal"
# "han": the Chinese parts are compared; "text": whole texts, for questions or articles in any language
compare = "han"
# What jaccard and cosine count: "grams", runs of so many characters, or "words"
features = "grams"
gram = 2

[contrast]
# A pair is doubtful ("needs-figure") when one of them points at a figure or a passage that is not in it and has fewer Chinese
# characters, numbers and signs than this; 0 switches this off.
figure_text = 60
# ... and ("too-short") when one of them has fewer than this, or is nothing but an instruction; 0 switches this off.
short_text = 8

[tail]
# Lines are committed when they are written, those of a busy log in groups: a commit begins this many milliseconds after the one
# before at the earliest (1 to 60000). Of a log that is far behind, so many lines are committed at a time.
commit_ms = 25
commit_lines = 100000
# It is told when a log changes; should that fail, it looks by itself this often.
poll_seconds = 10
# A log that was rotated away is read on for this long, as programs go on writing to it for a while.
rotate_wait_seconds = 60

[schedule]
# When the daemon runs an iteration: "Sun 03:00" (or Mon, Tue, Wed, Thu, Fri, Sat), "daily 03:00", "hourly" or "off".
# A time that was missed, because the machine was off, is made up for once.
every = "Sun 03:00"
time_zone = "Asia/Shanghai"
# It waits this long, at most, until what was written to the logs before that time is mined ("90s", "10min", "1h", "2d"; "0s": not at all).
wait_for_logs = "1h"

[review]
# "none": people decide; "safe": new deletions that are safe are approved at once, doubtful ones wait for people;
# a number such as 0.01: the same, but only up to this risk.
auto_approve = "none"
# An iteration with more deletions is held: none of them can be approved before `qdedup review release`. A number,
# a share of the bank such as "5%", or "none".
max_deletions_per_iteration = "none"
# Where the review page finds the pictures of questions: "https://files.example/{name}.png", with the picture's name for {name};
# "" for nowhere: then it shows their names. The page may load pictures from this host, and nothing else.
image_url = ""

[http]
# The daemon answers HTTP on qdedupd.sock in the state folder. It does so on a loopback address too ("127.0.0.1:9631",
# "[::1]:9631") when that is given here, with a token and the hosts; "" for none.
listen = ""
# A file with the token that clients send ("Authorization: Bearer TOKEN", or a browser as the password), readable by
# the daemon alone (mode 0600).
token_file = ""
# The Host headers that are answered, in full: ["localhost:9631", "127.0.0.1:9631"]
hosts = []
# Who may sign in on the page over TCP, by name and key; `qdedup reviewer add NAME` writes the file (mode 0640 at most). "": a
# browser asks for the token instead, and for any name.
reviewers_file = ""
# Where a proxy on this machine serves the page: "https://dedup.school.example"; "" for none. Its host is answered too, and
# what changes anything may come from its pages.
public_url = ""

[check]
# The daemon answers checks of questions (POST /v1/check) within milliseconds while it holds an index of the bank in
# memory: some 100 bytes a question, and at most this many MiB (0 to 1048576), also while it builds it. For a larger
# bank, or with 0, each check reads the bank, with the same answers. The daemon's iterations keep to that much less
# meanwhile.
memory_mb = 1024
# So many requests with checks may wait at a time (1 to 10000), three quarters of them of one user; more are told to try
# again. Each uses a connection, and up to 4 MiB of memory. More than 88 need more open files than the usual 1024: 8 for
# each, and 320 (LimitNOFILE= of the service).
max_requests = 64
# What arrived more than so many days ago (0 to 36500) is taken out of the index and the classes by the daemon, once an
# hour, and by `qdedup expire`: duplicates that came with `check --add`, and questions of the bank whose arrival is known
# (from then, or from the column arrived_at of an import). The question that represents a class goes with the last of
# it. 0: nothing is.
keep_days = 0

[state]
# Where qdedup.db (evidence, iterations, decisions) and bank.db (questions) are kept; by the current folder, if relative.
folder = "./qdedup-data"
# The evidence of this many past iterations is kept, in case one wants to look at it again.
kept_iterations = 5
# A command that changes the state has the daemon keep others from it meanwhile. One that has stored nothing for this
# many seconds (1 to 604800) is reported as trouble; `qdedup lease end` ends it.
idle_lease_seconds = 1800

[resources]
# Threads to work with; 0: as many as there are cores. The result does not depend on it.
threads = 0
# Memory that an iteration keeps to, about, in MiB (16 to 1048576). Where it could do with more, it takes more time
# instead, with the same result. Some 28 bytes for each question in the logs it takes in any case. An import of rows
# whose ids are in no order holds as many as fit, to put them in order.
memory_mb = 1536
)toml";
}

}  // namespace qdedup::config
