import Bytes
import Daybook
import Domain
import Foundation
import ReadModel

/// The birthdays of members of Congress, as a history of single edits.
///
/// The data is stored beside the repository.
enum Congress {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "shared/data")

  /// Whether the data is available.
  static let isHere = FileManager.default.fileExists(
    atPath: folder.appending(path: "congress-birthdays.jsonl").path())

  static func source() throws -> [UInt8] {
    Array(try Data(contentsOf: folder.appending(path: "congress-birthdays.jsonl")))
  }

  /// The final state that the data records.
  static func ending() throws -> [String: Person] {
    let bytes = Array(try Data(contentsOf: folder.appending(path: "congress-birthdays.final.json")))
    let members = try JSON(parsing: bytes).members ?? []
    return Dictionary(uniqueKeysWithValues: members.map { ($0.name, Person($0.value)) })
  }

  static func changes() throws -> [Change] {
    try source().split(separator: 0x0a).map { line in
      let bytes = Array(line)
      return Change(line: bytes, json: try JSON(parsing: bytes))
    }
  }

  /// Runs of adjacent lines by one author.
  static func runs(of changes: [Change]) -> [Run] {
    var runs: [Run] = []
    for change in changes {
      if runs.last?.author == change.author {
        runs[runs.count - 1].changes.append(change)
      } else {
        runs.append(Run(author: change.author, changes: [change]))
      }
    }
    return runs
  }

  struct Run {
    let author: String
    var changes: [Change]

    var source: [UInt8] { changes.flatMap { $0.line + [0x0a] } }
  }

  struct Change {
    let line: [UInt8]
    let json: JSON

    var time: Int64 { json["t"]?.integer ?? 0 }
    var id: String { json["id"]?.string ?? "" }
    var author: String { json["author"]?.string ?? "" }
  }

  /// Applies changes to a plain dictionary, in the order of the lines.
  static func fold(_ changes: some Sequence<Change>) -> [String: Person] {
    var living: [String: Person] = [:]
    for change in changes {
      guard let id = change.json["id"]?.string else { continue }
      switch change.json["op"]?.string {
      case "add": living[id, default: Person()].take(change.json)
      case "edit": if let set = change.json["set"] { living[id]?.take(set) }
      case "delete": living[id] = nil
      default: continue
      }
    }
    return living
  }
}

/// A birthday as plain text.
struct Person: Hashable {
  var firstName: String?
  var lastName: String?
  var birthdate: String?

  init() {}

  init(_ json: JSON) { take(json) }

  init(_ row: BirthdayRow) {
    (firstName, lastName, birthdate) = (row.firstName, row.lastName, row.birthdate?.iso)
  }

  /// A book stores names without surrounding spaces.
  private func trimmed(_ name: String) -> String { name.trimmingCharacters(in: .whitespaces) }

  mutating func take(_ json: JSON) {
    if let value = json["firstName"] { firstName = value.string.map(trimmed) }
    if let value = json["lastName"] { lastName = value.string.map(trimmed) }
    if let value = json["birthdate"] { birthdate = value.string }
  }
}

extension ReadModel {
  /// The living birthdays by the uids of their source.
  func people() throws -> [String: Person] {
    let rows = try birthdays.birthdays()
    let folded = try records.hydrate(
      Set(rows.map(\.head.key)), causality: try logs.causality())
    var people: [String: Person] = [:]
    for row in rows {
      guard case .text(let uid)? = folded.document(of: row.head.key)?.source?.uid else { continue }
      people[uid] = Person(row)
    }
    return people
  }
}
