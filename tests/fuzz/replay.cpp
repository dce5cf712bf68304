// Makes a target an executable that runs it on a corpus: a file with an input on each line, in hexadecimal. It checks
// them as the fuzzer does, and prints each call that the wasm module can repeat as a line of JSON.

#include <fstream>
#include <string>

#include "fuzz.h"

namespace {

void print_list(const char* name, const std::vector<double>& list) {
  std::printf(", \"%s\": [", name);
  // 17 digits give every double back exactly.
  for (std::size_t i = 0; i < list.size(); ++i) std::printf("%s%.17g", i == 0 ? "" : ", ", list[i]);
  std::printf("]");
}

void print_bytes(const char* name, const Memory& memory) {
  std::printf(", \"%s\": \"", name);
  for (std::size_t i = 0; i < memory.size; ++i) std::printf("%02x", memory.data[i]);
  std::printf("\"");
}

}  // namespace

void record(const char* function, const std::vector<double>& block, const std::vector<double>& arguments,
            const Moved& moved) {
  std::printf("{\"call\": \"%s\"", function);
  print_list("block", block);
  print_list("arguments", arguments);
  print_bytes("src", moved.src);
  print_bytes("before", moved.before);
  print_bytes("after", moved.after);
  std::printf("}\n");
}

int main(int count, char** arguments) {
  check(count == 2, "usage: %s corpus", arguments[0]);
  std::ifstream corpus(arguments[1]);
  int inputs = 0;
  for (std::string line; std::getline(corpus, line); ++inputs) {
    std::vector<std::uint8_t> bytes;
    for (std::size_t at = 0; at + 1 < line.size(); at += 2)
      bytes.push_back(static_cast<std::uint8_t>(std::stoi(line.substr(at, 2), nullptr, 16)));
    FuzzedDataProvider input(bytes.data(), bytes.size());
    fuzz(input);
  }
  check(inputs > 0, "nothing in %s", arguments[1]);
}
