// Declarations that glibc makes for GNU sources only, or in headers that Swift's Glibc module does not include.

#include <linux/openat2.h>
#include <malloc.h>
#include <sys/mman.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <unistd.h>

/// Starts writing a part of a file to the disk, waits for it, or both; see sync_file_range(2).
int sync_file_range(int descriptor, long offset, long count, unsigned int flags);

static const unsigned int SYNC_FILE_RANGE_WRITE = 2;

/// The flag `O_PATH`, which opens a path only to refer to it, not to read or write; see open(2).
static const int OPEN_PLACE = 010000000;

/// Opens a directory at a path that stays below another directory and contains no links; see openat2(2).
static inline int open_beneath(int directory, const char *path, int flags) {
  struct open_how how = {
      .flags = (unsigned long long)flags,
      .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS,
  };
  return (int)syscall(SYS_openat2, directory, path, &how, sizeof how);
}
