#pragma once

#include "elementary/pairs.h"

namespace layout {

/// One stage of a real transform, of one of its factors p, with pocketfft's names. It reads p * l1 half-complex
/// transforms of `ido` numbers (re 0, re 1, im 1, re 2, ...) in `cc`, and joins each p of them to one of p * ido
/// numbers in `ch`. `wa` are its twiddles: p - 1 lists of ido - 1 numbers, cos and sin in turn.
struct Stage {
  int ido, l1;
  const Pair* cc;
  Pair* ch;
  const double* wa;
  /// Number i of list x of the twiddles.
  double w(int x, int i) const { return wa[i + x * (ido - 1)]; }
  /// Number `a` of input c of joined transform b.
  Pair in(int a, int b, int c) const { return cc[a + ido * (b + l1 * c)]; }
};

/// Runs the stage of a factor: 2, 3, 4, 5 or an odd prime above 5. `roots` has cos and sin of 2 pi q / factor in turn,
/// of such a prime; other factors do not read it.
void run_stage(int factor, Stage stage, const double* roots);

}  // namespace layout
