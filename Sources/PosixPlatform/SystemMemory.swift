internal import CLinux
import Glibc
package import Platform

/// How this process comes by memory.
package enum SystemMemory {
  /// Half of what this process may have, and for one that serves others as much as a small machine can spare.
  package static var budget: MemoryBudget {
    let half = limit / 2
    return MemoryBudget(command: half, serving: min(half, 64 << 20))
  }

  /// The bytes that this process may have: those of the computer, or fewer where a limit of its own or of its
  /// container says so.
  private static var limit: UInt64 {
    let pages = sysconf(Int32(_SC_PHYS_PAGES))
    let pageSize = sysconf(Int32(_SC_PAGESIZE))
    let physical = pages > 0 && pageSize > 0 ? UInt64(pages) * UInt64(pageSize) : .max
    var allowed = rlimit()
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &allowed) == 0 else {
      return physical
    }
    return min(physical, UInt64(allowed.rlim_cur), containerLimit ?? .max)
  }

  /// What the control group allows all its processes together; nil where it says nothing, or "max".
  private static var containerLimit: UInt64? {
    let file = unsafe open("/sys/fs/cgroup/memory.max", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    // The system tells no size of such a file.
    let text = unsafe [UInt8](unsafeUninitializedCapacity: 32) { buffer, count in
      unsafe count = max(read(file, buffer.baseAddress, buffer.count), 0)
    }
    return UInt64(String(decoding: text, as: UTF8.self).prefix { $0.isNumber })
  }

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
