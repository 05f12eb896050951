// What glibc declares for GNU sources only, or in headers that Swift's module of it leaves out.

#include <linux/openat2.h>
#include <malloc.h>
#include <sys/mman.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <unistd.h>

/// Begins, waits for, or does both with the writing of a part of a file; see sync_file_range(2).
int sync_file_range(int descriptor, long offset, long count, unsigned int flags);

static const unsigned int SYNC_FILE_RANGE_WRITE = 2;

/// Opens something for its place alone, and not for what is in it; see open(2).
static const int OPEN_PLACE = 010000000;

/// Opens a directory at a path that leads nowhere but below another one, and over no link; see openat2(2).
static inline int open_beneath(int directory, const char *path, int flags) {
  struct open_how how = {
      .flags = (unsigned long long)flags,
      .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS,
  };
  return (int)syscall(SYS_openat2, directory, path, &how, sizeof how);
}
