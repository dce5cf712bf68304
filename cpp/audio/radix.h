#pragma once

#include "elementary/pairs.h"

namespace layout {

/// One factor of a transform, with pocketfft's names: `ido` numbers a sequence, `l1` sequences, `cc` in, `ch` out, `wa`
/// twiddles.
struct Stage {
  int ido, l1;
  const Pair* cc;
  Pair* ch;
  const double* wa;
  double w(int x, int i) const { return wa[i + x * (ido - 1)]; }
  Pair in(int a, int b, int c) const { return cc[a + ido * (b + l1 * c)]; }
};

/// Runs the stage of a factor: 2, 3, 4, 5 or an odd prime above 5, whose `roots` have cos and sin of 2 pi q / factor in
/// turn.
void run_stage(int factor, Stage stage, const double* roots);

}  // namespace layout
