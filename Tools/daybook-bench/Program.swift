import Glibc
import Platform

/// The program, as it is where it was installed.
struct Program {
  let path: String

  init(path: String) { self.path = path }

  /// Copies the program that was built beside this one into a folder.
  ///
  /// The system keeps what a linker has written in pages of the smallest size; what was copied starts sooner.
  init(copiedTo folder: Path, on disk: any Disk) throws {
    let built = Path(Self.beside("daybook"))
    path = (folder / "daybook").string
    try disk.replace(Path(path), with: disk.contents(of: built, limit: 1 << 30))
    guard unsafe chmod(path, 0o700) == 0 else { throw BenchFailure.program(path) }
  }

  /// How long a run takes from start to end, and how much of that it is working: the medians of many runs.
  ///
  /// Of the part of them in which the machine did least else: what else it does makes a run longer, never shorter.
  func typicalMilliseconds(
    _ words: [String], runs: Int, parts: Int = 5
  ) throws -> (whole: Double, working: Double) {
    var medians: [(whole: Double, working: Double)] = []
    for _ in 0..<parts {
      var (whole, working): ([Double], [Double]) = ([], [])
      for _ in 0..<runs / parts {
        whole.append(try 1_000 * seconds { working.append(try run(words)) })
      }
      medians.append((median(whole), median(working)))
    }
    return (medians.map(\.whole).min() ?? 0, medians.map(\.working).min() ?? 0)
  }

  /// Runs it to its end, with nothing to write to.
  ///
  /// - Returns: The milliseconds in which it was working.
  @discardableResult
  func run(_ words: [String]) throws -> Double {
    let process = try start(words)
    var status: Int32 = 0
    var usage = rusage()
    guard unsafe wait4(process, &status, 0, &usage) == process, status == 0 else {
      throw BenchFailure.program(path)
    }
    return milliseconds(usage.ru_utime) + milliseconds(usage.ru_stime)
  }

  /// Begins to run it, with nothing to write to.
  func start(_ words: [String]) throws -> pid_t {
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
    return process
  }

  private func milliseconds(_ time: timeval) -> Double {
    Double(time.tv_sec) * 1_000 + Double(time.tv_usec) / 1_000
  }

  private static func beside(_ name: String) -> String {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = unsafe readlink("/proc/self/exe", &bytes, bytes.count)
    let own = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    return (Path(own).parent / name).string
  }
}
