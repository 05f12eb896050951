internal import CLinux
import Glibc

/// How this process comes by memory.
package enum SystemMemory {
  /// Takes so many bytes of memory for what is allocated from now on, all pages at once.
  ///
  /// Each page that is touched for the first time stops the process for microseconds, which for a command that
  /// ends after some milliseconds was a fifth of its time. Memory is given back late from then on, so a process
  /// that is to stay should not ask for this.
  package static func takeAtOnce(_ count: Int) {
    // Else so large a block would be a mapping of its own, and be gone when it is freed.
    guard mallopt(M_MMAP_THRESHOLD, 32 << 20) == 1, mallopt(M_TRIM_THRESHOLD, 64 << 20) == 1,
      let block = unsafe malloc(count)
    else { return }
    let pageSize = Int(sysconf(Int32(_SC_PAGESIZE)))
    let offset = -Int(bitPattern: block) & (pageSize - 1)
    // An older kernel refuses, and the pages come one by one.
    _ = unsafe madvise(block + offset, count - offset, MADV_POPULATE_WRITE)
    unsafe free(block)
  }
}
