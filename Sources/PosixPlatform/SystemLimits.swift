import Glibc

/// The limits of this process.
package enum SystemLimits {
  /// Raises the limit on open files, which include connections, to `count`, or to the hard limit if that is lower.
  ///
  /// By default, many systems allow about a thousand open files.
  package static func allowOpenFiles(_ count: Int) {
    var limit = rlimit()
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
    let wanted = min(rlim_t(count), limit.rlim_max)
    guard limit.rlim_cur < wanted else { return }
    limit.rlim_cur = wanted
    // If this call fails, the previous limit remains in effect.
    _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }
}
