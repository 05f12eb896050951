import Glibc
import Platform

/// A program that is built beside this one.
struct Program {
  let path: String

  static let daybook = Program(path: beside("daybook"))

  /// The median of how long runs take from start to end, of the part of them in which the machine did least else.
  ///
  /// What else it does makes a run longer and never shorter.
  func typicalMilliseconds(_ words: [String], runs: Int, parts: Int = 5) throws -> Double {
    var medians: [Double] = []
    for _ in 0..<parts {
      let times = try (0..<runs / parts).map { _ in try milliseconds { try run(words) } }
      medians.append(median(times))
    }
    return medians.min() ?? 0
  }

  /// Runs it to its end, with nothing to write to.
  private func run(_ words: [String]) throws {
    var arguments = unsafe ([path] + words).map { unsafe strdup($0) } + [nil]
    defer { unsafe arguments.forEach { unsafe free($0) } }
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    for descriptor: Int32 in 1...2 {
      unsafe posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_WRONLY, 0)
    }
    var process: pid_t = 0
    guard unsafe posix_spawn(&process, path, &actions, nil, &arguments, environ) == 0 else {
      throw BenchFailure.program(path)
    }
    var status: Int32 = 0
    guard unsafe waitpid(process, &status, 0) == process, status == 0 else {
      throw BenchFailure.program(path)
    }
  }

  private static func beside(_ name: String) -> String {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = unsafe readlink("/proc/self/exe", &bytes, bytes.count)
    let own = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    return (Path(own).parent / name).string
  }
}
