#pragma once

#include <functional>

namespace qdedup::db {

// What a connection tells of its work, on the thread that works.
enum class Activity {
  step,    // a statement gets on, or waits for other threads; told again and again
  commit,  // what was changed is now committed, which may take long and tells nothing before it is done
};

using OnActivity = std::function<void(Activity)>;

}  // namespace qdedup::db
