/// Elementary functions without tables, within 2 ULP: those of the C library bring 6 kB of tables into the module.
#pragma once

namespace layout {

double exp_of(double x);
/// Of a number of at least 2^-1022; 0 gives minus infinity.
double log_of(double x);

struct Rotation {
  double cosine;
  double sine;
};
/// Of an angle below 2^20.
Rotation rotation_of(double angle);

}  // namespace layout
