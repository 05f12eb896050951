import Bytes
import Daybook
import Domain
import Phrasing
import Platform
import ReadModel

/// A pick and the draw that produced it.
private struct Replay {
  let pick: Document
  let draw: Draw
  let shares: [Range<UInt64>]
  /// The index of the chosen entry.
  let place: Int
  /// The current names of the entries' choices.
  let names: [String]
  let question: String

  var chosen: String { names[place] }
}

/// Shows how a pick was drawn.
struct ReplayPick {
  let context: CommandContext
  private var output: Output { context.output }

  /// Shows how a pick was drawn, or the latest pick of a question.
  func run(_ words: String) throws {
    let snapshot = try context.snapshot()
    let replay = try replay(of: try pick(words, snapshot), words, snapshot)
    if output.isJSON { return output.answer(json(replay)) }
    output.answer(lines(replay))
    if !replay.pick.isAlive { output.note("this pick has since been undone or deleted.") }
  }

  private func pick(_ words: String, _ snapshot: Snapshot) throws -> Document {
    let picked: UniqueID?
    do throws(DaybookError) {
      picked = try snapshot.book.finder.find(words, kind: .pick, among: .all).id
    } catch .unknown {
      picked = nil
    } catch {
      throw error
    }
    if let picked {
      // Even a deleted pick still has the record of its draw.
      guard let found = try snapshot.book.finder.document(withID: picked) else {
        throw DaybookError.unknown(words, kind: .pick)
      }
      return try snapshot.document(found.key) ?? found
    }
    let question = try context.key(words, kind: .question, snapshot)
    guard
      let latest = try snapshot.model.questions.picks(of: question, page: Page(count: 1)).first,
      let document = try snapshot.document(latest.head.key)
    else { throw ConsoleError.noPick(words, question: words) }
    return document
  }

  /// Returns the short id of the question of a pick; nil if the question is not shown.
  private func name(ofQuestion pick: Document, _ snapshot: Snapshot) throws -> String? {
    guard let key = Pick(pick)?.question, let question = try snapshot.document(key),
      question.isAlive
    else { return nil }
    return try snapshot.shortID(question.id)
  }

  private func replay(of document: Document, _ words: String, _ snapshot: Snapshot) throws -> Replay
  {
    guard let pick = Pick(document), let bytes = pick.draw else {
      throw ConsoleError.noPick(words, question: try name(ofQuestion: document, snapshot))
    }
    let id = try snapshot.shortID(document.id)
    let draw: Draw
    let shares: [Range<UInt64>]
    let place: Int
    do throws(DrawError) {
      draw = try Draw(bytes.span)
      shares = try draw.shares()
      place = try draw.replay()
    } catch {
      throw ConsoleError.untrueDraw(words, id: id)
    }
    let keys = try draw.entries.map { try snapshot.model.documents.document(drawn: $0.id)?.key }
    let recorded = try pick.choice.flatMap { try snapshot.model.documents.document($0)?.key }
    if let drawn = keys[place], let recorded, drawn != recorded {
      throw ConsoleError.untrueDraw(words, id: id)
    }
    let names = try keys.map { key in
      try key.flatMap(snapshot.title)?.visible ?? "something unknown"
    }
    let question = try pick.question.flatMap(snapshot.title)?.visible ?? "a question"
    return Replay(
      pick: document, draw: draw, shares: shares, place: place, names: names, question: question)
  }

  private func lines(_ replay: Replay) -> [String] {
    let draw = replay.draw
    var rows = [["  thrown", "\(draw.thrown.last ?? 0), a random 64-bit number"]]
    let rejected = draw.thrown.dropLast().map { String($0) }.joined(separator: ", ")
    if !rejected.isEmpty {
      rows.append([
        "  before",
        "\(rejected): below 2^64 mod \(draw.total) = \(draw.firstFairNumber), so drawn again",
      ])
    }
    rows.append(["  range", "0 to \(draw.total - 1), as the weights sum to \(draw.total)"])
    rows.append([
      "  ticket", "\(draw.thrown.last ?? 0) mod \(draw.total) = \(draw.ticket)",
    ])
    let choices = replay.names.indices.map { place in
      let share = replay.shares[place]
      return [
        "  \(replay.names[place])", "weight \(draw.entries[place].weight)",
        share.isEmpty ? "no ticket" : Self.tickets(share),
        place == replay.place ? "has \(draw.ticket)" : "",
      ]
    }
    return [output.paint.heading("Drew \(replay.chosen) for \(replay.question)")]
      + Table.lines(rows)
      + Table.lines(choices)
  }

  private static func tickets(_ share: Range<UInt64>) -> String {
    let (first, last) = (share.lowerBound, share.upperBound - 1)
    return first == last ? "ticket \(first)" : "tickets \(first) to \(last)"
  }

  /// Returns the draw as JSON; its numbers are strings, because most JSON readers keep fewer than 64 bits.
  private func json(_ replay: Replay) -> JSON {
    let draw = replay.draw
    let choices = draw.entries.indices.map { place in
      let share = replay.shares[place]
      return JSON.object(
        ("id", .string(draw.entries[place].id.uuid)), ("name", .string(replay.names[place])),
        ("weight", .string(String(draw.entries[place].weight))),
        ("firstTicket", share.isEmpty ? .null : .string(String(share.lowerBound))),
        ("lastTicket", share.isEmpty ? .null : .string(String(share.upperBound - 1))),
        ("drawn", .boolean(place == replay.place)))
    }
    return .object(
      ("id", .string(replay.pick.id.uuid)), ("question", .string(replay.question)),
      ("undone", .boolean(!replay.pick.isAlive)),
      ("thrown", .array(draw.thrown.map { .string(String($0)) })),
      ("firstFairNumber", .string(String(draw.firstFairNumber))),
      ("total", .string(String(draw.total))), ("ticket", .string(String(draw.ticket))),
      ("choices", .array(choices)))
  }
}
