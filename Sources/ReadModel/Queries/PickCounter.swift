package import Bytes
package import Domain
internal import SQLite

/// Counts the picks of a question.
package struct PickCounter {
  let tables: TableConnection

  private var questionQueries: QuestionQueries { QuestionQueries(tables: tables) }

  /// Counts the picks of the question that an entity belongs to; undone picks do not count.
  package func pickCounts(of question: EventKey) throws(ReadModelError) -> PickCounts {
    let picks = try questionQueries.picks(of: question)
    var tally = Tally()
    for pick in picks {
      guard let draw = Self.draw(of: pick) else {
        tally.unreadable += 1
        continue
      }
      for (entry, expectation) in zip(draw.entries, draw.expectations) {
        let id = try tally.document(of: entry.id, in: tables)
        tally.expected[id, default: 0] += expectation
      }
      tally.counts[try tally.document(of: draw.drawn, in: tables), default: 0] += 1
    }
    let living = try questionQueries.choices(of: question).map(\.head)
    for choice in living { tally.keys[choice.id] = choice.key }
    let known = Set(living.map(\.id))
    let gone = Set(tally.expected.keys).subtracting(known).sorted()
    return PickCounts(
      choices: living.map { tally.count(of: $0.id, isAlive: true) }
        + gone.map { tally.count(of: $0, isAlive: false) },
      picks: picks.count, unreadable: tally.unreadable)
  }

  /// The draw of a pick; nil if the record of the draw is missing or invalid.
  private static func draw(
    of pick: PickRow
  ) -> (
    entries: [Draw.Entry], expectations: [Double], drawn: UniqueID
  )? {
    do throws(DrawError) {
      guard let bytes = pick.draw else { return nil }
      let draw = try Draw(bytes.span)
      return (draw.entries, draw.expectations, draw.entries[try draw.replay()].id)
    } catch {
      // The caller counts the pick as unreadable.
      return nil
    }
  }
}

/// The number of times that a choice was drawn, and the expected number.
package struct PickCount: Equatable, Sendable {
  /// The id of the document that the choice belongs to now, alive or deleted.
  ///
  /// If no such document is found, the id is the one in the draws.
  package let id: UniqueID
  /// The shown member of the document; nil if no document is found.
  package let key: EventKey?
  package let isAlive: Bool
  package let count: Int
  /// The sum, over all draws, of the choice's probability under the weights of that draw.
  package let expected: Double
}

/// The counts for all choices of a question.
package struct PickCounts: Equatable, Sendable {
  /// The shown choices, oldest first, then the other choices in the draws, by id.
  package let choices: [PickCount]
  /// The number of picks.
  package let picks: Int
  /// The number of picks whose draw is missing or invalid.
  package let unreadable: Int
}

private struct Tally {
  var counts: [UniqueID: Int] = [:]
  var expected: [UniqueID: Double] = [:]
  var keys: [UniqueID: EventKey] = [:]
  var unreadable = 0
  private var documents: [UniqueID: UniqueID] = [:]

  /// The id of the document that a choice belongs to now.
  mutating func document(
    of id: UniqueID, in tables: TableConnection
  ) throws(ReadModelError) -> UniqueID {
    if let known = documents[id] { return known }
    let found = try DocumentQueries(tables: tables).document(drawn: id)
    let document = found?.id ?? id
    if let found { keys[document] = found.key }
    documents[id] = document
    return document
  }

  func count(of id: UniqueID, isAlive: Bool) -> PickCount {
    PickCount(
      id: id, key: keys[id], isAlive: isAlive, count: counts[id] ?? 0, expected: expected[id] ?? 0)
  }
}
