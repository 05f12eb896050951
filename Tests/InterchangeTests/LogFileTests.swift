import Bytes
import Domain
import Foundation
import Interchange
import Testing

/// A real edit history, which some machines keep next to the repository.
private let history = URL(filePath: #filePath)
  .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  .deletingLastPathComponent().appending(path: "shared/data/congress-birthdays.jsonl")

private let isHistoryThere = FileManager.default.fileExists(atPath: history.path)

struct LogFileTests {
  @Test(.enabled(if: isHistoryThere, "congress-birthdays.jsonl is missing"))
  func `Operation log: a real edit history survives reading, running, exporting and running again`()
    throws
  {
    let lines = try Array(Data(contentsOf: history)).split(separator: UInt8(ascii: "\n"))
    var world = World()
    for line in lines {
      let operation = try Operation(line: Array(line))
      #expect(try Operation(line: Array(operation.line.utf8)) == operation)
      try world.run(operation)
    }
    let export = EventExport(of: world.facts, causality: world.causality)
    var copy = World()
    for operation in export.operations { try copy.run(operation) }
    #expect(copy.records.shownLines == world.records.shownLines)
    #expect(copy.facts.count == world.facts.count)
    let final = history.deletingPathExtension().appendingPathExtension("final.json")
    let state = try JSON(parsing: Array(Data(contentsOf: final)))
    #expect(StateExport.operations(of: world.records).map(\.id) == state.members?.map(\.name))
  }
}
