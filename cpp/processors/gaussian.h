#pragma once

namespace layout {

// The weights of Gaussians, as Python computes them. A deviation is above 0.

/// torchvision's weights reach so many pixels to both sides of the middle.
int torch_reach(float sigma);

/// Writes the weights of 2 * torch_reach(sigma) + 1 pixels: a softmax of float32, in the order of torch's sums.
void torch_gaussian(float sigma, float* weights);

/// scipy's weights reach so many pixels to both sides of the middle.
int scipy_reach(double sigma);

/// Writes the weights of scipy_reach(sigma) + 1 pixels, from the middle outwards. Up to 128 numbers are added in the
/// order of NumPy's sum.
void scipy_gaussian(double sigma, double* weights);

}  // namespace layout
