import Glibc

/// What this process may use of the computer.
package enum SystemLimits {
  /// Lets the process have so many files open at once, connections among them, or as many as it may.
  ///
  /// Many systems allow a thousand where nobody asks for more.
  package static func allowOpenFiles(_ count: Int) {
    var limit = rlimit()
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
    let wanted = min(rlim_t(count), limit.rlim_max)
    guard limit.rlim_cur < wanted else { return }
    limit.rlim_cur = wanted
    // Where it is refused, what was allowed must do: who cannot be taken then is told of.
    _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }
}
