internal import CLinux
import Glibc
package import Platform

/// The memory of this process.
package enum SystemMemory {
  /// A budget of half of the memory that this process may use.
  ///
  /// For a process that serves others, the budget is at most 64 MiB, which even a small machine has.
  package static var budget: MemoryBudget {
    let half = limit / 2
    return MemoryBudget(command: half, serving: min(half, 64 << 20))
  }

  /// The number of bytes that this process may use, which is the physical memory, or the limit of the process or of its
  /// container if that is smaller.
  private static var limit: UInt64 {
    smallest(physical: physical, process: processLimit, container: containerLimit)
  }

  /// Returns the smallest of the known limits, in bytes.
  ///
  /// A limit is nil if the system does not report it.
  static func smallest(physical: UInt64?, process: UInt64?, container: UInt64?) -> UInt64 {
    [physical, process, container].compactMap(\.self).min() ?? .max
  }

  /// The physical memory in bytes.
  private static var physical: UInt64? {
    let pages = sysconf(Int32(_SC_PHYS_PAGES))
    let pageSize = sysconf(Int32(_SC_PAGESIZE))
    return pages > 0 && pageSize > 0 ? UInt64(pages) * UInt64(pageSize) : nil
  }

  /// The limit on the address space of this process in bytes; the largest number if there is none.
  private static var processLimit: UInt64? {
    var allowed = rlimit()
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &allowed) == 0 else {
      return nil
    }
    return UInt64(allowed.rlim_cur)
  }

  /// The memory limit of the control group in bytes; nil if there is none.
  private static var containerLimit: UInt64? {
    let file = unsafe open("/sys/fs/cgroup/memory.max", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    // The system does not report the size of this file.
    let text = unsafe [UInt8](unsafeUninitializedCapacity: 32) { buffer, count in
      unsafe count = max(read(file, buffer.baseAddress, buffer.count), 0)
    }
    return UInt64(String(decoding: text, as: UTF8.self).prefix { $0.isNumber })
  }

  /// Allocates `count` bytes of memory pages in one step, for later allocations.
  ///
  /// The first access to each page stops the process for a few microseconds, which took a fifth of the time of a
  /// command that ends after a few milliseconds. After this call, freed memory is returned to the system late, so a
  /// long-running process should not make this call.
  package static func takeAtOnce(_ count: Int) {
    // Without these settings, malloc would map such a large block separately, and unmap it when it is freed.
    guard mallopt(M_MMAP_THRESHOLD, 32 << 20) == 1, mallopt(M_TRIM_THRESHOLD, 64 << 20) == 1,
      let block = unsafe malloc(count)
    else { return }
    let address = Int(bitPattern: block)
    let pages = whole(Int(sysconf(Int32(_SC_PAGESIZE))), at: address, count)
    let huge = whole(2 << 20, at: address, count)
    // Clearing a huge page takes a third of the time that clearing its parts takes. If the kernel refuses these calls,
    // pages are allocated on first access.
    if huge.count > 0 { _ = unsafe madvise(block + huge.offset, huge.count, MADV_HUGEPAGE) }
    _ = unsafe madvise(block + pages.offset, pages.count, MADV_POPULATE_WRITE)
    unsafe free(block)
  }

  /// Returns the range of whole pages of `size` bytes within `count` bytes at an address.
  private static func whole(
    _ size: Int, at address: Int, _ count: Int
  ) -> (offset: Int, count: Int) {
    let offset = min(-address & (size - 1), count)
    return (offset, (count - offset) & ~(size - 1))
  }
}
