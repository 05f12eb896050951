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
    let address = Int(bitPattern: block)
    let pages = whole(Int(sysconf(Int32(_SC_PAGESIZE))), at: address, count)
    let huge = whole(2 << 20, at: address, count)
    // A huge page is cleared in a third of the time that its parts take. Kernels refuse what they cannot do, and then
    // the pages come one by one.
    if huge.count > 0 { _ = unsafe madvise(block + huge.offset, huge.count, MADV_HUGEPAGE) }
    _ = unsafe madvise(block + pages.offset, pages.count, MADV_POPULATE_WRITE)
    unsafe free(block)
  }

  /// The part of so many bytes at an address that is made of whole pages of a size.
  private static func whole(
    _ size: Int, at address: Int, _ count: Int
  ) -> (offset: Int, count: Int) {
    let offset = min(-address & (size - 1), count)
    return (offset, (count - offset) & ~(size - 1))
  }
}
