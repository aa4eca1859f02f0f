// SPDX-License-Identifier: BSL-1.0
#include "files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace cli {

namespace {

constexpr std::size_t largest_input = std::size_t{2} << 30;  // bytes

std::string reason(const std::string& path, const char* what) { return path + ": " + what + ": " + std::strerror(errno); }

// The folder of a path with its last slash, or nothing.
std::string folder_of(const std::string& path) { return path.substr(0, path.rfind('/') + 1); }

// The one name of the file that a path leads to, whether it is there or not: links are followed, also to what is not there yet.
std::string resolve(std::string path) {
  constexpr int most_links = 40;
  for (int followed = 0; followed < most_links; ++followed) {
    if (char* real = ::realpath(path.c_str(), nullptr); real != nullptr) {
      path = real;
      std::free(real);
      return path;
    }
    struct stat info {};
    if (::lstat(path.c_str(), &info) != 0 || !S_ISLNK(info.st_mode)) {
      break;
    }
    char target[4096];
    const ssize_t length = ::readlink(path.c_str(), target, sizeof target);
    if (length <= 0) {
      break;
    }
    const std::string to(target, static_cast<std::size_t>(length));
    path = to[0] == '/' ? to : folder_of(path) + to;
  }
  const std::string folder = folder_of(path);
  if (char* real = ::realpath(folder.empty() ? "." : folder.c_str(), nullptr); real != nullptr) {
    const std::string name = path.substr(folder.size());
    path = real;
    std::free(real);
    path += (path.back() == '/' ? "" : "/") + name;
  }
  return path;
}

}  // namespace

bool read_file(const std::string& path, std::string& content, std::string& error) {
  content.clear();
  const bool standard = path == "-";
  const int file = standard ? 0 : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) {
    error = reason(path, "cannot open");
    return false;
  }
  struct stat info {};
  bool good = ::fstat(file, &info) == 0;
  if (good && S_ISDIR(info.st_mode)) {
    errno = EISDIR;
    good = false;
  }
  if (good && S_ISREG(info.st_mode) && info.st_size > 0) {
    content.reserve(static_cast<std::size_t>(info.st_size) + 1);
  }
  if (!good) {
    error = reason(standard ? "standard input" : path, "cannot read");
  }
  std::string buffer(std::size_t{1} << 20, '\0');
  while (good) {
    const ssize_t got = ::read(file, buffer.data(), buffer.size());
    if (got == 0) {
      break;
    }
    if (got < 0) {
      if (errno == EINTR) {
        continue;
      }
      error = reason(standard ? "standard input" : path, "cannot read");
      good = false;
    } else if (content.size() + static_cast<std::size_t>(got) > largest_input) {
      error = path + ": larger than 2 GiB";
      good = false;
    } else {
      content.append(buffer.data(), static_cast<std::size_t>(got));
    }
  }
  if (!standard) {
    ::close(file);
  }
  return good;
}

output_set::~output_set() {
  for (const pending& p : pending_) {
    if (!p.temporary.empty()) {
      std::remove(p.temporary.c_str());
    }
  }
}

bool output_set::add(const std::string& named, std::string_view content, std::string& error) {
  if (named == "-") {
    standard_ = content;
    return true;
  }
  std::signal(SIGXFSZ, SIG_IGN);  // too large a file is a failure like others
  struct stat at_name {};
  const bool there = ::stat(named.c_str(), &at_name) == 0;
  if (!there && errno == ELOOP) {
    error = reason(named, "cannot write");
    return false;
  }
  // A link is followed; what is no ordinary file (a device, a pipe) is written to, not replaced. What /dev/fd leads to has no
  // other name.
  const bool special = there && !S_ISREG(at_name.st_mode) && !S_ISDIR(at_name.st_mode);
  const std::string path = special && named.compare(0, 5, "/dev/") == 0 ? named : resolve(named);
  for (const pending& p : pending_) {
    if (p.target == path) {
      error = named + ": named for two outputs";
      return false;
    }
  }
  struct stat info {};
  const bool exists = ::stat(path.c_str(), &info) == 0;
  if (exists && S_ISDIR(info.st_mode)) {
    errno = EISDIR;
    error = reason(named, "cannot write");
    return false;
  }
  if (exists && !S_ISREG(info.st_mode)) {
    pending_.push_back({{}, path, std::string(content)});
    return true;
  }
  // Whoever may write into the folder could replace the file; one that nobody may write to is meant to stay.
  if (exists && ((info.st_mode & 0222) == 0 || ::access(path.c_str(), W_OK) != 0)) {
    errno = EACCES;
    error = reason(named, "cannot write");
    return false;
  }
  std::string temporary = folder_of(path) + ".warpwright." + std::string(6, 'X');  // not longer with the name of the file
  const int file = ::mkstemp(temporary.data());
  if (file < 0) {
    error = reason(path, exists ? "cannot create the temporary file beside it that is to replace it" : "cannot create");
    return false;
  }
  pending_.push_back({temporary, path, {}});
  std::size_t done = 0;
  while (done < content.size()) {
    const ssize_t put = ::write(file, content.data() + done, content.size() - done);
    if (put < 0 && errno == EINTR) {
      continue;
    }
    if (put <= 0) {
      error = reason(path, "cannot write");
      ::close(file);
      return false;
    }
    done += static_cast<std::size_t>(put);
  }
  const mode_t mask = ::umask(0);
  ::umask(mask);
  const mode_t mode = exists ? info.st_mode & static_cast<mode_t>(07777) : static_cast<mode_t>(0666) & ~mask;
  const bool good = ::fchmod(file, mode) == 0;
  if (::close(file) != 0 || !good) {
    error = reason(path, "cannot write");
    return false;
  }
  return true;
}

bool one_file(const std::string& a, const std::string& b) {
  return !a.empty() && !b.empty() && a != "-" && b != "-" && (a == b || resolve(a) == resolve(b));
}

bool is_standard_output(const std::string& path) {
  struct stat named {
  }, standard{};
  return ::stat(path.c_str(), &named) == 0 && ::fstat(1, &standard) == 0 && named.st_dev == standard.st_dev &&
         named.st_ino == standard.st_ino;
}

bool output_set::commit(std::string& error) {
  // What can fail comes first; nothing is replaced before all else is written. A reader who has left is a failure, not the end:
  // the temporaries are still to be removed.
  std::signal(SIGPIPE, SIG_IGN);
  for (const pending& p : pending_) {
    if (!p.temporary.empty()) {
      continue;
    }
    std::FILE* f = std::fopen(p.target.c_str(), "wb");
    const bool put = f != nullptr && std::fwrite(p.content.data(), 1, p.content.size(), f) == p.content.size();
    if (f == nullptr || std::fclose(f) != 0 || !put) {
      error = reason(p.target, "cannot write");
      return false;
    }
  }
  if (!print(standard_, error)) {
    return false;
  }
  for (pending& p : pending_) {
    if (p.temporary.empty()) {
      continue;
    }
    if (std::rename(p.temporary.c_str(), p.target.c_str()) != 0) {
      error = reason(p.target, "cannot rename the new file to it");
      return false;
    }
    p.temporary.clear();
  }
  pending_.clear();
  return true;
}

bool print(std::string_view text, std::string& error) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0) {
    return true;
  }
  error = reason("standard output", "cannot write");
  return false;
}

}  // namespace cli
