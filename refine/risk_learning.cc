#include "refine/risk_learning.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <utility>
#include <vector>

namespace qdedup::refine {
namespace {

constexpr std::uint64_t min_pairs = 100;
constexpr std::uint64_t min_of_each = 20;
constexpr std::uint64_t min_tested_of_each = 5;
constexpr double max_log_loss_left = 0.98;  // of the weights in force
constexpr double sure = 2;                  // standard errors

// One over the variance of a weight, in logits, before any decision is known.
constexpr double prior_precision = 2;

constexpr double unit_of_weights = 10'000;
constexpr double unit_of_features = 1000;

using Vector = std::vector<double>;
using JudgedPairs = std::vector<JudgedPair>;

struct Term {
  std::size_t index;
  double value;
};

// A pair as the regression sees it: what is not 0.
struct Row {
  std::vector<Term> terms;
  double intercept;  // fixed
  double target;     // 1: different

  [[nodiscard]] double logit(const Vector& weights) const {
    double sum = intercept;
    for (const Term& term : terms) sum += weights[term.index] * term.value;
    return sum;
  }
};

Row row_of(const JudgedPair& pair, double intercept) {
  Row row{{}, intercept, pair.is_same ? 0.0 : 1.0};
  for (std::size_t i = 0; i < pair.features.values.size(); ++i) {
    if (pair.features.values[i] == 0) continue;
    row.terms.push_back({i, pair.features.values[i] / unit_of_features});
  }
  return row;
}

double probability(double logit) { return 1 / (1 + std::exp(-logit)); }

// ln(1 + e^logit), for any logit.
double softplus(double logit) { return std::max(logit, 0.0) + std::log1p(std::exp(-std::abs(logit))); }

// The negative logarithm of the posterior probability of weights, but for a constant.
class Posterior {
 public:
  Posterior(std::vector<Row> rows, Vector prior) : rows_(std::move(rows)), prior_(std::move(prior)) {}

  [[nodiscard]] const Vector& prior() const { return prior_; }

  [[nodiscard]] double loss(const Vector& weights) const {
    double sum = 0;
    for (const Row& row : rows_) sum += softplus(row.logit(weights)) - row.target * row.logit(weights);
    for (std::size_t i = 0; i < weights.size(); ++i) {
      sum += prior_precision * (weights[i] - prior_[i]) * (weights[i] - prior_[i]) / 2;
    }
    return sum;
  }

  // The step of Newton's method: the inverse of the Hessian times the gradient.
  [[nodiscard]] Vector step(const Vector& weights) const {
    const std::size_t size = weights.size();
    Vector gradient(size);
    std::vector<Vector> hessian(size, Vector(size));
    for (std::size_t i = 0; i < size; ++i) {
      gradient[i] = prior_precision * (weights[i] - prior_[i]);
      hessian[i][i] = prior_precision;
    }
    for (const Row& row : rows_) {
      const double risk = probability(row.logit(weights));
      for (const Term& a : row.terms) {
        gradient[a.index] += (risk - row.target) * a.value;
        for (const Term& b : row.terms) hessian[a.index][b.index] += risk * (1 - risk) * a.value * b.value;
      }
    }
    return solved(std::move(hessian), std::move(gradient));
  }

 private:
  // x with matrix · x = right, by Cholesky's decomposition; the matrix is symmetric and positive definite.
  static Vector solved(std::vector<Vector> matrix, Vector right) {
    const std::size_t size = right.size();
    for (std::size_t i = 0; i < size; ++i) {
      for (std::size_t j = 0; j <= i; ++j) {
        double sum = matrix[i][j];
        for (std::size_t k = 0; k < j; ++k) sum -= matrix[i][k] * matrix[j][k];
        matrix[i][j] = i == j ? std::sqrt(sum) : sum / matrix[j][j];
      }
    }
    for (std::size_t i = 0; i < size; ++i) {
      for (std::size_t k = 0; k < i; ++k) right[i] -= matrix[i][k] * right[k];
      right[i] /= matrix[i][i];
    }
    for (std::size_t i = size; i-- > 0;) {
      for (std::size_t k = i + 1; k < size; ++k) right[i] -= matrix[k][i] * right[k];
      right[i] /= matrix[i][i];
    }
    return right;
  }

  std::vector<Row> rows_;
  Vector prior_;
};

// The loss is convex, so there is one minimum.
Vector minimum(const Posterior& posterior) {
  constexpr int max_steps = 50;
  constexpr int max_halvings = 30;
  constexpr double close = 1e-12;
  Vector weights = posterior.prior();
  double loss = posterior.loss(weights);
  for (int i = 0; i < max_steps; ++i) {
    const Vector step = posterior.step(weights);
    Vector next = weights;
    double next_loss = loss;
    double size = 1;
    for (int halving = 0; halving < max_halvings; ++halving, size /= 2) {
      for (std::size_t k = 0; k < weights.size(); ++k) next[k] = weights[k] - size * step[k];
      next_loss = posterior.loss(next);
      if (next_loss <= loss) break;
    }
    if (next_loss >= loss - close) break;
    weights = next;
    loss = next_loss;
  }
  return weights;
}

std::int64_t rounded(double weight) {
  constexpr double most = 1'000'000;  // what RiskModel::read() takes
  return std::llround(std::clamp(weight * unit_of_weights, -most, most));
}

RiskModel::Weights fitted(const RiskModel::Weights& prior, const JudgedPairs& pairs) {
  std::vector<Row> rows;
  for (const JudgedPair& pair : pairs) {
    rows.push_back(row_of(pair, static_cast<double>(prior.intercept) / unit_of_weights));
  }
  Vector start;
  for (const std::int64_t weight : prior.features) {
    start.push_back(static_cast<double>(weight) / unit_of_weights);
  }
  const Vector weights = minimum(Posterior(std::move(rows), std::move(start)));
  RiskModel::Weights result{prior.intercept, {}, prior.highest_safe};
  std::ranges::transform(weights, std::back_inserter(result.features), rounded);
  return result;
}

JudgedPairs of_kind(std::span<const JudgedPair> pairs, bool calculates) {
  JudgedPairs chosen;
  std::ranges::copy_if(pairs, std::back_inserter(chosen), [calculates](const JudgedPair& pair) {
    return pair.features.calculates == calculates;
  });
  return chosen;
}

// The share of different pairs among the safe ones is larger. Where no pair is safe, none is.
bool is_less_precise(const RiskQuality& one, const RiskQuality& other) {
  return one.safe_different * std::max<std::uint64_t>(other.safe(), 1) > other.safe_different * one.safe();
}

// Numbers of a group that say nothing about each other.
std::uint64_t spread(std::uint64_t group) { return (group * 0x9E3779B97F4A7C15) >> 32U; }
constexpr std::uint64_t group_parts = 3;  // one of which is left out
constexpr std::uint64_t folds = 5;

bool is_left_out(const JudgedPair& pair) { return spread(pair.group) % group_parts == 0; }
std::uint64_t fold_of(const JudgedPair& pair) { return spread(pair.group) / group_parts % folds; }

// A pair that may be safe, with the risk that a model gives it which did not learn from it.
struct ForeseenPair {
  Risk risk;
  bool is_same;
  bool calculates;
};

std::vector<ForeseenPair> foreseen(const RiskModel& prior, const JudgedPairs& pairs) {
  std::vector<ForeseenPair> all;
  for (std::uint64_t fold = 0; fold < folds; ++fold) {
    JudgedPairs others;
    std::ranges::copy_if(pairs, std::back_inserter(others),
                         [fold](const JudgedPair& pair) { return fold_of(pair) != fold; });
    const RiskModel model = fit_weights(prior, others);
    for (const JudgedPair& pair : pairs) {
      if (fold_of(pair) != fold || pair.features.is_grave) continue;
      all.push_back({model.risk(pair.features), pair.is_same, pair.features.calculates});
    }
  }
  return all;
}

// The highest threshold up to `highest` with which these pairs, of one kind, have the precision of `wanted`.
Risk precise_threshold(Risk highest, std::vector<ForeseenPair> pairs, const RiskQuality& wanted) {
  std::erase_if(pairs, [highest](const ForeseenPair& pair) { return pair.risk > highest; });
  std::ranges::sort(pairs, {}, &ForeseenPair::risk);
  RiskQuality quality;
  for (const ForeseenPair& pair : pairs) ++(pair.is_same ? quality.safe_same : quality.safe_different);
  while (is_less_precise(quality, wanted)) {
    const Risk risk = pairs.back().risk;
    for (; !pairs.empty() && pairs.back().risk == risk; pairs.pop_back()) {
      --(pairs.back().is_same ? quality.safe_same : quality.safe_different);
    }
    highest = Risk(risk.ten_thousandths() - 1);
  }
  return highest;
}

RiskModel learned_from(const JudgedPairs& pairs, const RiskModel& shipped, const RiskModel& in_force) {
  const RiskModel fit = fit_weights(shipped, pairs);
  const std::vector<ForeseenPair> all = foreseen(shipped, pairs);
  const auto with_threshold = [&](bool calculates) {
    std::vector<ForeseenPair> chosen = all;
    std::erase_if(chosen, [calculates](const ForeseenPair& pair) { return pair.calculates != calculates; });
    RiskModel::Weights weights = fit.weights(calculates);
    weights.highest_safe = precise_threshold(weights.highest_safe, std::move(chosen),
                                             quality_of(in_force, of_kind(pairs, calculates)));
    return weights;
  };
  return RiskModel({with_threshold(true), with_threshold(false)});
}

// Of the ranking, where risks say nothing.
double standard_error(const RiskQuality& quality) {
  return std::sqrt((1 / static_cast<double>(quality.same) + 1 / static_cast<double>(quality.different)) / 12);
}

std::string counts(std::uint64_t same, std::uint64_t different) {
  return std::to_string(same) + " approved and " + std::to_string(different) + " rejected";
}

std::string why_too_few(const RiskQuality& all, const RiskQuality& tested) {
  if (all.same + all.different < min_pairs || std::min(all.same, all.different) < min_of_each) {
    return "of pairs that differ in a word, " + std::to_string(all.same + all.different) +
           " were decided one by one, " + counts(all.same, all.different) + "; at least " +
           std::to_string(min_pairs) + " are needed, with at least " + std::to_string(min_of_each) +
           " of each";
  }
  if (std::min(tested.same, tested.different) >= min_tested_of_each) return "";
  return "of the pairs that are left out for the test, " + counts(tested.same, tested.different) +
         ", at least " + std::to_string(min_tested_of_each) + " of each are needed";
}

std::string why_not_better(const RiskQuality& shipped_on_all, const RiskQuality& before,
                           const RiskQuality& after) {
  if (shipped_on_all.ranking < 0.5 - sure * standard_error(shipped_on_all)) {
    return "pairs of a high risk were approved more often than pairs of a low one; were approvals and "
           "rejections mixed up?";
  }
  if (after.ranking < 0.5 + sure * standard_error(after)) {
    return "the decisions do not follow from the differences that the program sees";
  }
  if (after.log_loss > max_log_loss_left * before.log_loss) {
    return "the risks do not fit the pairs that were left out better than before";
  }
  if (is_less_precise(after, before)) {
    return "of the pairs that were left out, a larger share of the safe ones was rejected than before";
  }
  return "";
}

}  // namespace

RiskQuality quality_of(const RiskModel& model, std::span<const JudgedPair> pairs) {
  RiskQuality quality;
  std::array<std::uint64_t, Risk::certain + 1> same{};  // by risk
  std::array<std::uint64_t, Risk::certain + 1> different{};
  for (const JudgedPair& pair : pairs) {
    const auto risk = static_cast<std::size_t>(model.risk(pair.features).ten_thousandths());
    const bool safe = model.confidence(pair.features) == Confidence::safe;
    ++(pair.is_same ? quality.same : quality.different);
    if (safe) ++(pair.is_same ? quality.safe_same : quality.safe_different);
    ++(pair.is_same ? same : different)[risk];
    const std::size_t given = pair.is_same ? Risk::certain - risk : risk;
    quality.log_loss -= std::log(static_cast<double>(std::max<std::size_t>(given, 1)) / Risk::certain);
  }
  std::uint64_t same_below = 0;
  double ordered = 0;
  for (std::size_t risk = 0; risk < same.size(); ++risk) {
    ordered += static_cast<double>(different[risk]) *
               (static_cast<double>(same_below) + static_cast<double>(same[risk]) / 2);
    same_below += same[risk];
  }
  if (!pairs.empty()) quality.log_loss /= static_cast<double>(pairs.size());
  const double couples = static_cast<double>(quality.same) * static_cast<double>(quality.different);
  quality.ranking = couples > 0 ? ordered / couples : 0.5;
  return quality;
}

RiskModel fit_weights(const RiskModel& prior, std::span<const JudgedPair> pairs) {
  const auto of = [&](bool calculates) {
    return fitted(prior.weights(calculates), of_kind(pairs, calculates));
  };
  return RiskModel({of(true), of(false)});
}

Learning learn_weights(const RiskModel& shipped, const RiskModel& in_force,
                       std::span<const JudgedPair> pairs) {
  JudgedPairs tested;
  JudgedPairs others;
  for (const JudgedPair& pair : pairs) (is_left_out(pair) ? tested : others).push_back(pair);
  const RiskQuality all = quality_of(shipped, pairs);
  Learning learning;
  learning.same = all.same;
  learning.different = all.different;
  learning.tested = tested.size();
  learning.before = quality_of(in_force, tested);
  learning.refusal = why_too_few(all, learning.before);
  if (!learning.refusal.empty()) return learning;
  RiskModel model = learned_from(others, shipped, in_force);
  learning.after = quality_of(model, tested);
  learning.refusal = why_not_better(all, learning.before, learning.after);
  learning.learned = std::move(model);
  return learning;
}

}  // namespace qdedup::refine
