#pragma once

namespace qdedup::import {

// What rows are read for: questions, or their ids alone.
enum class RowUse { question, id };

}  // namespace qdedup::import
