import Bytes
import Domain

/// Decides which events the authors of small histories can write.
protocol SmallWriter: Sendable {
  /// The body of a record that all replicas know from the start.
  func given(_ number: Int) -> Body

  /// Every body that an author can write with its knowledge.
  func bodies(by author: SmallAuthor) -> [Body]
}

/// The author of the next event of a small history.
struct SmallAuthor {
  /// The log that the author writes.
  let log: UInt32
  /// The events that it has written or seen, in the order in which they were written.
  let known: History
  /// The number of all events, which makes values distinct.
  let count: Int
  /// The number of records that all replicas know from the start, and that the first replica has added.
  let given: Int

  /// The author's events, without the given events.
  var own: [Fact] {
    known.facts.filter { $0.key.log == log && (log > 0 || $0.key.sequence > given) }
  }
}

/// Writes plain records: joins, deletes, conflicts and references.
struct RecordWriter: SmallWriter {
  /// Whether an edit can give a field two values and reopen a dispute, as an undo does.
  let givesSeveral: Bool

  func given(_ number: Int) -> Body { Body(.add, .kind(.todo), [Self.title(number)]) }

  /// A title that no other event writes.
  private static func title(_ count: Int) -> Write {
    Write(Field.Todo.title, .integer(Int64(count)))
  }

  private static func otherTitle(_ count: Int) -> Write {
    Write(Field.Todo.title.alternative(1), .integer(Int64(-1 - count)))
  }

  func bodies(by author: SmallAuthor) -> [Body] {
    let (title, facts) = (Self.title(author.count), author.known.facts)
    let records = facts.filter { $0.body.verb == .add }.map(\.key)
    let aliases = facts.filter { $0.body.verb == .alias }.map(\.key)
    var bodies: [Body] = []
    if author.given == 0 {
      let source = Write(.source, Source(uidText: "one").value)
      bodies = [[title], [source, title]].map { Body(.add, .kind(.todo), $0) }
    }
    for record in records {
      let target = Body.Target.entity(record)
      bodies.append(Body(.edit, target, [title]))
      bodies.append(Body(.edit, target, [Write(Field.Todo.done, .boolean(true))]))
      if givesSeveral {
        let disputed = Write(.disputed, .boolean(true))
        bodies.append(Body(.edit, target, [title, Self.otherTitle(author.count), disputed]))
      }
      bodies.append(Body(.delete, target))
      bodies.append(Body(.restore, target))
      for other in records where other != record {
        bodies.append(Body(.edit, target, [Write(Field.Todo.list, .reference(other))]))
        guard record < other else { continue }
        bodies.append(Body(.alias, target, [Write(.with, .reference(other))]))
      }
    }
    for alias in aliases {
      bodies.append(Body(.delete, .entity(alias)))
      bodies.append(Body(.restore, .entity(alias)))
    }
    return bodies
  }
}
