// SPDX-License-Identifier: BSL-1.0
// A sum of products as nobody should write it here.
extern "C" double probe_sum(const double* x, const double* y, int n) {
  double s = 0;
  for (int k = 0; k < n; ++k) s += x[k] * y[k];
  return s;
}
