// SPDX-License-Identifier: BSL-1.0
//
// Reading whole files and writing them so that a failure leaves the old content in place.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cli {

// Read a file (or standard input for "-") whole. On failure `error` holds one sentence.
bool read_file(const std::string& path, std::string& content, std::string& error);

// Writes to standard output and says when that fails.
bool print(std::string_view text, std::string& error);

// Do two paths lead to one file, whether it is there or not? Links are followed; standard input and output ("-") are no files.
bool one_file(const std::string& a, const std::string& b);

// Does the path lead to where standard output goes? Replacing that file would lose what is printed.
bool is_standard_output(const std::string& path);

// Several outputs that appear together or not at all: each is written to a temporary beside its target, and all are renamed
// when everything has been written, devices, pipes and standard output ("-") too. The content of "-" has to last till then.
class output_set {
 public:
  output_set() = default;
  output_set(const output_set&) = delete;
  output_set& operator=(const output_set&) = delete;
  ~output_set();

  bool add(const std::string& path, std::string_view content, std::string& error);
  bool commit(std::string& error);

 private:
  struct pending {
    std::string temporary;
    std::string target;
    std::string content;  // of what is not replaced
  };
  std::vector<pending> pending_;
  std::string_view standard_;
};

}  // namespace cli
