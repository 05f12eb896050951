// What glibc declares for GNU sources only, or in headers that Swift's module of it leaves out.

#include <sys/epoll.h>
#include <sys/eventfd.h>

/// Begins, waits for, or does both with the writing of a part of a file; see sync_file_range(2).
int sync_file_range(int descriptor, long offset, long count, unsigned int flags);

static const unsigned int SYNC_FILE_RANGE_WRITE = 2;
