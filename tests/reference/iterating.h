#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "base/question_id.h"
#include "miner/selection.h"
#include "refine/keepers.h"

namespace qdedup::reference {

// The slow twin of all iterations on end (rules, 2 to 5), on maps of whole texts: no store, no fingerprints,
// no hashes, no threads, and all clusters at once.
class Iterations {
 public:
  struct Result {
    std::vector<refine::Deletion> listed;   // by question
    std::vector<QuestionId> withdrawn;      // by question
    std::map<QuestionId, QuestionId> open;  // afterwards: question -> keeper
  };

  Iterations(std::size_t max_cluster_size, int min_similarity)
      : max_cluster_size_(max_cluster_size), min_similarity_(min_similarity) {}

  // One iteration over `lists`, with the texts as they are now.
  Result iterate(const std::map<QuestionId, std::string>& bank, const std::vector<miner::SeedList>& lists);

 private:
  struct OpenDeletion {
    QuestionId keeper;
    std::string question_text;
    std::string keep_text;
  };

  std::size_t max_cluster_size_;
  int min_similarity_;
  std::map<QuestionId, OpenDeletion> open_;
};

// The duplicate test on two texts, in the words of the rules.
bool are_duplicates(const std::string& a, const std::string& b, int min_similarity);

}  // namespace qdedup::reference
