#include "db/samples.h"

#include "db/database.h"
#include "db/statement.h"

namespace qdedup::db {

Result<std::int64_t> Samples::draw(std::span<const std::int64_t> deletion_ids, std::uint64_t population,
                                   const Decider& decider) {
  return guarded(store_.path(), [&] {
    SQLite::Transaction transaction(store_.database(), SQLite::TransactionBehavior::IMMEDIATE);
    run(store_.database(), "INSERT INTO sample (drawn_at, drawn_by, population) VALUES (?, ?, ?)", decider.at,
        display_name(decider), population);
    const std::int64_t id = store_.database().getLastInsertRowid();
    SQLite::Statement add(store_.database(),
                          "INSERT INTO sample_pair (sample_id, position, deletion_id, keep_id) "
                          "SELECT ?, ?, id, keep_id FROM deletion WHERE id = ?");
    for (std::size_t i = 0; i < deletion_ids.size(); ++i) {
      run(add, id, i + 1, deletion_ids[i]);
    }
    transaction.commit();
    return id;
  });
}

Result<std::vector<SampleRecord>> Samples::all() {
  const auto sample = [](SQLite::Statement& row) {
    return SampleRecord{row.getColumn(0).getInt64(),  row.getColumn(1).getString(),
                        row.getColumn(2).getString(), loaded(row.getColumn(3)),
                        loaded(row.getColumn(4)),     loaded(row.getColumn(5)),
                        loaded(row.getColumn(6))};
  };
  return all_rows(store_, sample,
                  "SELECT id, drawn_at, drawn_by, population, count(*), sum(judgement = 'same'), "
                  "sum(judgement = 'different') FROM sample JOIN sample_pair ON sample_id = id "
                  "GROUP BY id ORDER BY id");
}

Result<std::vector<SamplePair>> Samples::pairs(std::int64_t sample) {
  const auto pair = [sample](SQLite::Statement& row) {
    return SamplePair{sample,
                      loaded(row.getColumn(0)),
                      row.getColumn(1).getInt64(),
                      row.getColumn(2).getInt64(),
                      row.getColumn(3).getString(),
                      row.getColumn(4).getString()};
  };
  return all_rows(store_, pair,
                  "SELECT position, deletion_id, keep_id, judgement, judged_by "
                  "FROM sample_pair WHERE sample_id = ? ORDER BY position",
                  sample);
}

Result<std::vector<BlindWork>> Samples::work() {
  return guarded(store_.path(), [&] {
    SQLite::Statement rows(
        store_.database(),
        "SELECT judged_by, judgement, decided_by, given_name, new_status FROM sample_pair "
        "JOIN deletion ON deletion.id = sample_pair.deletion_id LEFT JOIN decision ON deletion.keep_id = "
        "sample_pair.keep_id "
        "AND decision.id = (SELECT max(id) FROM decision AS last WHERE last.deletion_id = deletion.id "
        "AND one_by_one = 1) WHERE judgement <> '' ORDER BY judged_by");
    std::vector<BlindWork> work;
    while (rows.executeStep()) {
      const std::string by = rows.getColumn(0).getString();
      if (work.empty() || work.back().by != by) work.push_back({.by = by});
      ++work.back().judged;
      const std::string status = rows.getColumn(4).getString();
      const bool is_decided = status == "approved" || status == "rejected";
      if (!is_decided || display_name(rows.getColumn(2).getString(), rows.getColumn(3).getString()) == by) {
        continue;
      }
      ++work.back().compared;
      if ((rows.getColumn(1).getString() == "same") == (status == "approved")) ++work.back().agreed;
    }
    return work;
  });
}

Result<bool> Samples::judge(std::int64_t sample, std::uint64_t position, const std::string& judgement,
                            const Decider& decider) {
  return guarded(store_.path(), [&]() -> Result<bool> {
    SQLite::Statement row(store_.database(),
                          "SELECT 1 FROM sample_pair WHERE sample_id = ? AND position = ?");
    if (!is_any(row, sample, position))
      return Error{ErrorCode::no_input, "there is no such pair in a sample"};
    const bool judged = !judgement.empty();
    return run(store_.database(),
               "UPDATE sample_pair SET judgement = ?, judged_at = ?, judged_by = ? "
               "WHERE sample_id = ? AND position = ? AND judged_by IN ('', ?)",
               judgement, judged ? decider.at : "", judged ? display_name(decider) : "", sample, position,
               display_name(decider)) == 1;
  });
}

}  // namespace qdedup::db
