import Foundation
import Testing

/// An event in the output of `log`.
struct LogLine: Hashable {
  var replica: String
  var sequence: Int
  var command: Int
  var verb: String
  var id: String
  var isUndo: Bool
  /// The written fields, as `name=value`.
  var fields: [String]
}

extension Resident {
  /// Joins the book of another machine.
  func join(_ host: Resident) throws {
    // The server of the other machine may not be listening yet.
    for _ in 0..<100 {
      let invited = try host.run("invite", "--address", host.address(from: number))
      guard invited.code == 0 else { continue }
      let words = try #require(try #/daybook1:[A-Z2-7]+/#.firstMatch(in: invited.output)).output
      #expect(try run("join", String(words)).code == 0)
      return
    }
    Issue.record("nobody invites")
  }

  /// Returns the state of the book: the shown records, and the end of each log.
  func standing() throws -> String {
    let status = try json("status") as? [String: Any]
    let version = (status?["version"] as? [String: Any] ?? [:]).map { "\($0) \($1)" }.sorted()
    return "\(status?["digest"] ?? "none") \(version)"
  }

  /// Returns all events of the log.
  func log() throws -> [LogLine] {
    let rows = try #require(try json("log", "--all") as? [[String: Any]])
    return rows.map { row in
      LogLine(
        replica: row["replica"] as? String ?? "", sequence: row["sequence"] as? Int ?? 0,
        command: row["command"] as? Int ?? 0, verb: row["verb"] as? String ?? "",
        id: row["id"] as? String ?? "", isUndo: row["isUndo"] as? Bool ?? false,
        fields: (row["fields"] as? [String: Any] ?? [:]).map { "\($0)=\($1)" }.sorted())
    }
  }

  /// Returns the acknowledged changes that the log lacks.
  func missing(in log: [LogLine]) -> [String] {
    var counts: [String: Int] = [:]
    for line in log {
      for mark in [""] + line.fields { counts["\(line.verb) \(line.id) \(mark)", default: 0] += 1 }
    }
    return promises.filter { counts[$0.key, default: 0] < $0.value }.keys.sorted()
  }

  /// Returns the problems that `doctor` reports.
  func problems() throws -> [String] {
    let told = try #require(try json("doctor") as? [String: Any])
    let checks = try #require(told["checks"] as? [[String: Any]])
    return checks.filter { $0["verdict"] as? String != "ok" }.map { check in
      "\(check["subject"] ?? "") \(check["verdict"] ?? ""): \(check["text"] ?? "")"
    }
  }

  private func json(_ words: String...) throws -> Any {
    let told = try run(words + ["--json"])
    return try JSONSerialization.jsonObject(with: Data(told.output.utf8))
  }
}
