import Glibc
import Platform

/// A program file that can be run and measured.
struct Program {
  let path: String

  init(path: String) { self.path = path }

  /// Copies the program that was built next to this one to a folder.
  ///
  /// The system uses the smallest pages to cache a file that a linker wrote, so a copy starts faster.
  init(copiedTo folder: Path, on disk: any Disk) throws {
    let built = Path(Self.beside("daybook"))
    path = (folder / "daybook").string
    try disk.replace(Path(path), with: disk.contents(of: built, limit: 1 << 30))
    guard unsafe chmod(path, 0o700) == 0 else { throw BenchFailure.program(path) }
  }

  /// Returns the typical duration and CPU time of a run.
  ///
  /// The runs are divided into parts. The result is the median of the fastest part, because other processes can only
  /// make a run longer.
  func typicalMilliseconds(
    _ words: [String], runs: Int, parts: Int = 5
  ) throws -> (whole: Sample, working: Sample) {
    try run(words)
    var (whole, working): ([[Double]], [[Double]]) = ([], [])
    for _ in 0..<parts {
      var part: [Double] = []
      whole.append(
        try (0..<runs / parts).map { _ in try milliseconds { part.append(try run(words)) } })
      working.append(part)
    }
    return (Sample(leastOf: whole), Sample(leastOf: working))
  }

  /// Runs the program to its end, with its output written to a file.
  ///
  /// - Returns: The CPU time in milliseconds.
  @discardableResult
  func run(_ words: [String], output: String = "/dev/null") throws -> Double {
    let process = try start(words, output: output)
    var status: Int32 = 0
    var usage = rusage()
    guard unsafe wait4(process, &status, 0, &usage) == process, status == 0 else {
      throw BenchFailure.program(path)
    }
    return count(usage.ru_utime) + count(usage.ru_stime)
  }

  func start(_ words: [String], output: String = "/dev/null") throws -> pid_t {
    var arguments = unsafe ([path] + words).map { unsafe strdup($0) } + [nil]
    defer { unsafe arguments.forEach { unsafe free($0) } }
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    for (descriptor, path) in [(1, output), (2, "/dev/null")] {
      unsafe posix_spawn_file_actions_addopen(
        &actions, Int32(descriptor), path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    }
    var process: pid_t = 0
    guard unsafe posix_spawn(&process, path, &actions, nil, &arguments, environ) == 0 else {
      throw BenchFailure.program(path)
    }
    return process
  }

  /// A time in milliseconds.
  private func count(_ time: timeval) -> Double {
    Double(time.tv_sec) * 1_000 + Double(time.tv_usec) / 1_000
  }

  /// The path of the running program.
  static var own: String {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = unsafe readlink("/proc/self/exe", &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }

  private static func beside(_ name: String) -> String { (Path(own).parent / name).string }
}
