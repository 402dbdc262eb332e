#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "markup/formula_frames.h"
#include "markup/formula_reader.h"
#include "markup/formula_text.h"
#include "markup/formula_writer.h"
#include "markup/tables.h"

namespace qdedup::markup {

// Reads the dollars and the commands of LaTeX. Notes in `result` that there are formulas, and commands
// without a rule. All must outlive it.
class LatexReader {
 public:
  LatexReader(FormulaText& text, FormulaWriter& writer, FormulaFrames& frames, ReadText& result)
      : text_(text), writer_(writer), frames_(frames), result_(result) {}

  void take_dollar();
  void take_command();
  void take_named(std::string_view name);  // behind the name

  // At { or [: a command that has been written as letters, since its backslash is gone. False for none.
  bool take_bare_command();

  // What stands above an arrow, after what stands below it.
  void open_arrow_label();

 private:
  // What \left writes.
  struct Left {
    std::size_t place;
    std::size_t end;
    std::size_t brace;  // how long the brace is that may turn out needless
  };

  void open_math(Opening by, std::size_t length);
  void take_escaped();
  [[nodiscard]] bool is_space(char escaped);
  void take_space(char escaped);
  [[nodiscard]] bool is_command_escaped_twice() const;
  void take_math_end(Opening by);
  void end_line();
  void take_unknown(std::string_view name);
  void put_name(std::string_view name, FrameKind argument);
  void open_drawn(std::string_view drawn);
  void open_matrix(std::string_view name);
  void open_cells(std::string_view environment, FrameKind kind, Opening by);
  bool take_nuclide(std::string_view command);
  void open_label(CommandKind kind);
  void open_labels(std::string_view sign);
  void open_accent(std::string_view accent);
  void take_structure(std::string_view name);
  void take_infix(std::string_view name, FrameKind first);
  void take_genfrac();
  void take_ding();
  void open_pair(FrameKind first);
  void open_root();
  std::string_view take_delimiter();
  void take_left();
  void take_right();
  void begin_environment();
  void end_environment();
  void take_not();

  FormulaText& text_;
  FormulaWriter& writer_;
  FormulaFrames& frames_;
  ReadText& result_;
  std::vector<Left> lefts_;  // that have no \right yet
};

}  // namespace qdedup::markup
