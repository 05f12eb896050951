import Bytes
import Domain
import Phrasing
import Testing

@testable import Console

/// JSON answers have the members that the help documents, in the same order.
struct AnswerShapeTests {
  private static func stage() throws -> Stage {
    let stage = Stage()
    _ = stage.answer("add", "birthday", "Ada", "1815-11-25")
    _ = stage.answer("add", "todo", "Sweep", "--due", "2026-11-01")
    _ = stage.answer("add", "todo", "Mop", "--list", "Home", "--due", "today")
    _ = stage.answer("add", "todo", "Tax", "--due", "tomorrow")
    _ = stage.answer("add", "todo", "Read")
    _ = stage.answer("add", "todo", "Gone")
    _ = stage.answer("delete", "gone")
    _ = stage.answer("add", "todo", "Paid")
    _ = stage.answer("done", "paid")
    _ = stage.answer("add", "question", "Lunch?", "Noodles:3")
    _ = stage.answer("pick", "lunch")
    _ = stage.answer("edit", "mop", "--priority", "high")
    _ = stage.answer("bundle", "b")
    _ = try stage.makeStoreKey()
    return stage
  }

  /// Returns the names of all members; for an array, the names of its first element's members.
  private static func shape(_ json: JSON) -> String {
    if let array = json.array { return "[\(array.first.map(shape) ?? "")]" }
    guard let members = json.members else { return "" }
    var names = members.map { member in
      let inner = shape(member.value)
      return member.name + (inner.isEmpty ? "" : " " + inner)
    }
    if let id = names.firstIndex(of: "id"), names.dropFirst(id + 1).first == "uid",
      let last = names.firstIndex(of: "conflicts []"), id < last
    {
      names.replaceSubrange(id...last, with: ["record"])
    }
    let isReplica = members.first.map { $0.name.count == 32 } ?? false
    return "{\(isReplica ? "REPLICA" : names.joined(separator: ", "))}"
  }

  @Test func `JSON shapes: each answer has the members that the help documents`() throws {
    let stage = try Self.stage()
    for (words, shape) in AnswerShapes.all {
      let words = try #require(Shell.words(words))
      let outcome = stage.run(words + ["--json"])
      #expect(outcome.code == .done, "\(words): \(outcome.error)")
      let json = try JSON(parsing: Array(outcome.output.utf8))
      // Only an undo that reopens a conflict writes alternatives.
      let found = Self.shape(json).replacing("{priority", with: "{FIELD")
        .replacing("alternatives {}", with: "alternatives {FIELD []}")
      #expect(found == shape, "\(words)")
    }
  }

  @Test func `JSON shapes: a record has the members of its kind`() throws {
    let stage = try Self.stage()
    for kind in Schema.kinds {
      let operands = kind.kind == .pick ? ["lunch"] : []
      let answer = stage.run(["list", kind.plural, "--json"] + operands).output
      let record = try #require(try JSON(parsing: Array(answer.utf8)).array?.first?.members)
      #expect(record.map(\.name) == AnswerShapes.record(of: kind), "\(kind.name)")
      #expect(
        try Help(CommandCatalog.table).lines(about: ["json"]).contains {
          $0.hasPrefix("  \(kind.name) ")
        })
    }
  }
}
