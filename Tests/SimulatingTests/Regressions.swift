import Foundation
import Simulating

/// Worlds that once failed, each with a description of the fault.
struct Regressions {
  let scenario: Scenario
  let title: String

  struct Unreadable: Error { let line: String }

  /// The lines of `regressions.txt`, each with the options of a scenario, a bar, and the title of the fault.
  static func all() throws -> [Regressions] {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "regressions.txt")
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    return try lines.filter { !$0.hasPrefix("#") }.map { line in
      let parts = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      guard parts.count == 2, let scenario = Scenario(parsing: parts[0]) else {
        throw Unreadable(line: String(line))
      }
      return Regressions(scenario: scenario, title: parts[1])
    }
  }
}
