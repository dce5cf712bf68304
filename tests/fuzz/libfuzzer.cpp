// Makes a target a libFuzzer executable.

#include "fuzz.h"

void record(const char*, const std::vector<double>&, const std::vector<double>&, const Moved&) {}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  FuzzedDataProvider input(data, size);
  fuzz(input);
  return 0;
}
