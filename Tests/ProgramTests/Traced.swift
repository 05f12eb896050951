import Foundation
import Testing

/// The program under `strace`, which can kill it or make any system call fail.
struct Traced {
  static let path: String? = {
    let path = "/usr/bin/strace"
    return FileManager.default.isExecutableFile(atPath: path) ? path : nil
  }()

  /// The system calls that change a disk, or prepare a change.
  static let calls = [
    "write", "pwrite64", "fdatasync", "fsync", "openat", "openat2", "ftruncate", "rename",
    "renameat", "renameat2", "mkdir", "mkdirat", "unlink", "unlinkat",
  ]

  /// A system call of a command.
  struct Call: Hashable, Sendable {
    var name: String
    /// The number of the call among the calls with that name, from 1.
    var number: Int
    /// Whether the call concerns the view, which is rebuilt if it is missing.
    var isOfView: Bool
    /// Whether the call changes visible files.
    var changesFiles: Bool
  }

  let program: Program

  /// Returns the calls of a command, from the first that concerns the program's folder.
  func calls(of words: [String]) throws -> [Call] {
    let list = program.folder.appending(path: "calls")
    let trace = "trace=" + Self.calls.joined(separator: ",")
    guard try run(words, ["-y", "-o", list.path(), "-e", trace]) == 0 else { return [] }
    var counts: [String: Int] = [:]
    var calls: [Call] = []
    var isBegun = false
    for line in try String(contentsOf: list, encoding: .utf8).split(separator: "\n") {
      // A line contains the process id, the name of the call, and its arguments in parentheses.
      guard let name = line.split(separator: " ").dropFirst().first?.split(separator: "(").first
      else { continue }
      guard Self.calls.contains(String(name)) else { continue }
      counts[String(name), default: 0] += 1
      isBegun = isBegun || line.contains(program.folder.lastPathComponent)
      guard isBegun, let number = counts[String(name)] else { continue }
      let isLooking = name.hasPrefix("open") && !line.contains("O_CREAT")
      calls.append(
        Call(
          name: String(name), number: number, isOfView: line.contains("view.sqlite"),
          changesFiles: !isLooking && !name.hasSuffix("sync")))
    }
    return calls
  }

  /// Runs a command and injects a fault into one call, or also into all later calls with that name.
  ///
  /// - Returns: The exit code; not 0 if a signal ended the command.
  func run(
    _ words: [String], meeting call: Call, with fate: String, forGood: Bool = false
  ) throws -> Int32 {
    let when = "\(call.number)\(forGood ? "+" : "")"
    return try run(
      words,
      [
        "-o", "/dev/null", "-e", "trace=\(call.name)",
        "-e", "inject=\(call.name):\(fate):when=\(when)",
      ])
  }

  /// Runs a command with a limit on file sizes: a write beyond it is truncated.
  func run(_ words: [String], longestFile byteCount: Int, isKilled: Bool) throws -> Int32 {
    guard let daybook = Program.path else { return -1 }
    let signals = isKilled ? "--default-signal=XFSZ" : "--ignore-signal=XFSZ"
    let process = try program.process(
      [signals, "prlimit", "--core=0", "--fsize=\(byteCount)", daybook.path()] + words)
    process.executableURL = URL(filePath: "/usr/bin/env")
    return try end(of: process)
  }

  private func run(_ words: [String], _ options: [String]) throws -> Int32 {
    let process = try program.process(words)
    guard let strace = Self.path, let daybook = Program.path else { return -1 }
    process.executableURL = URL(filePath: strace)
    // With the seccomp filter, only the traced calls are slower.
    process.arguments = ["-f", "-qq", "--seccomp-bpf"] + options + [daybook.path()] + words
    return try end(of: process)
  }

  private func end(of process: Process) throws -> Int32 {
    try process.run()
    process.waitUntilExit()
    return process.terminationReason == .exit ? process.terminationStatus : -1
  }
}
