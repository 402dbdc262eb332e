#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "refine/confidence.h"
#include "refine/pair_features.h"

namespace qdedup::refine {

// Of a pair that is doubtful whatever the weights say, at least.
inline constexpr Risk least_doubtful_risk(Risk::certain / 2);

// A logistic regression: the logit of the risk is a sum of features, each with a weight. There are weights of
// two kinds of questions: those to be calculated, and others. All arithmetic is in integers, so that a risk
// is the same on every machine. Immutable.
class RiskModel {
 public:
  // Of one kind of questions; in ten-thousandths of a logit.
  struct Weights {
    std::int64_t intercept = 0;
    std::vector<std::int64_t> features;  // in the order of feature_names()
    Risk highest_safe;                   // a pair of a higher risk is doubtful
  };

  // Reads the text of refine/data/weights.txt. Fails with file:line and what is wrong there.
  static Result<RiskModel> read(std::string_view file, std::string_view text);

  // Of calculations, then of others.
  explicit RiskModel(std::array<Weights, 2> weights);

  // The weights that the program comes with, read at the first call.
  static const RiskModel& shipped();

  // What read() reads.
  [[nodiscard]] std::string text() const;

  // A hash of the text: models of one name are the same.
  [[nodiscard]] const std::string& name() const { return name_; }

  [[nodiscard]] const Weights& weights(bool calculates) const { return weights_[calculates ? 0 : 1]; }

  [[nodiscard]] Risk risk(const PairFeatures& features) const;
  [[nodiscard]] Confidence confidence(const PairFeatures& features) const;

 private:
  std::array<Weights, 2> weights_;
  std::string name_;
};

// 1 / (1 + e^-logit), for a logit in ten-thousandths. Off by at most one ten-thousandth.
Risk logistic(std::int64_t logit);

}  // namespace qdedup::refine
