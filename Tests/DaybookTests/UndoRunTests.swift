import Bytes
import Crypto
import Domain
import ReadModel
import SimulatedPlatform
import Testing

@testable import Daybook
@testable import Journaling

/// Undos that need several commands.
@Suite struct UndoRunTests {
  private static let other = EventName(log: UniqueID(high: 7, low: 7), sequence: 3)
  private static let source = SHA256.digest(of: [1])

  // MARK: Steps

  private func event(_ sequence: UInt64, at time: Int64, when: Int64?) -> EventRecord {
    EventRecord(
      sequence: sequence, time: time, when: when, header: 0..<0, body: 0..<0,
      verb: 1, more: 0, namesOthers: true, isCommandStart: true, hash: Self.source)
  }

  private func command(
    _ sequence: UInt64, _ link: StepFinder.Link?, at time: Int64 = 200, when: Int64? = nil,
    in finder: inout StepFinder
  ) {
    finder.take(event(sequence, at: time, when: when), link: link, marker: nil, isFact: true)
  }

  private func mark(
    _ edge: RunMarker.Edge, _ sequence: UInt64, _ link: StepFinder.Link? = nil,
    at time: Int64 = 200, when: Int64? = nil, in finder: inout StepFinder
  ) {
    let marker = RunMarker(edge, source: Self.source, count: edge == .begin ? 0 : 2)
    finder.take(event(sequence, at: time, when: when), link: link, marker: marker, isFact: false)
  }

  private func step(_ events: [ClosedRange<UInt64>], isAllSince: Bool, done: UInt64?) -> Step {
    let marker = RunMarker(.begin, source: Self.source, count: 0)
    return Step(
      first: 2, events: events, undoesElsewhere: Self.other, undoesAllSince: isAllSince, time: 200,
      run: .init(source: marker, done: done))
  }

  @Test func `Steps: a run undoes one step if its commands have the link, otherwise all since`() {
    var one = StepFinder()
    mark(.begin, 2, in: &one)
    for sequence: UInt64 in 3...4 { command(sequence, .elsewhere(Self.other), in: &one) }
    mark(.end, 5, in: &one)
    #expect(one.steps == [step([3...3, 4...4], isAllSince: false, done: 2)])
    var all = StepFinder()
    mark(.begin, 2, .elsewhere(Self.other), in: &all)
    for sequence: UInt64 in 3...4 { command(sequence, nil, in: &all) }
    mark(.end, 5, in: &all)
    #expect(all.steps == [step([3...3, 4...4], isAllSince: true, done: 2)])
  }

  @Test(arguments: [true, false])
  func `Steps: an interrupted undo of another log and its completion are one step`(isAllSince: Bool)
  {
    let link = StepFinder.Link.elsewhere(Self.other)
    let (ofRun, ofCommand) = isAllSince ? (link, nil) : (nil, link)
    var finder = StepFinder()
    mark(.begin, 2, ofRun, in: &finder)
    command(3, ofCommand, in: &finder)
    mark(.begin, 4, ofRun, at: 400, in: &finder)
    command(5, ofCommand, at: 400, in: &finder)
    mark(.end, 6, at: 400, in: &finder)
    let whole = step([3...3, 5...5], isAllSince: isAllSince, done: 2)
    #expect(finder.steps == [whole])
    // After the undo is complete, another undo of the same target is a separate step.
    mark(.begin, 7, ofRun, at: 700, in: &finder)
    command(8, ofCommand, at: 700, in: &finder)
    finder.closeRun()
    var next = step([8...8], isAllSince: isAllSince, done: nil)
    (next.first, next.time) = (7, 700)
    #expect(finder.steps == [whole, next])
  }

  @Test func `Steps: an end with the digest of another source does not end a run`() {
    var finder = StepFinder()
    mark(.begin, 2, in: &finder)
    command(3, .elsewhere(Self.other), in: &finder)
    let other = RunMarker(.end, source: SHA256.digest(of: [2]), count: 9)
    finder.take(event(4, at: 200, when: nil), link: nil, marker: other, isFact: false)
    command(5, .elsewhere(Self.other), in: &finder)
    mark(.end, 6, in: &finder)
    #expect(finder.steps == [step([3...3, 5...5], isAllSince: false, done: 2)])
  }

  @Test func `Steps: a single command can complete an interrupted undo`() {
    var finder = StepFinder()
    mark(.begin, 2, in: &finder)
    for sequence: UInt64 in 3...4 { command(sequence, .elsewhere(Self.other), in: &finder) }
    command(5, .elsewhere(Self.other), at: 500, in: &finder)
    let whole = Step(
      first: 2, events: [3...3, 4...4, 5...5], undoesElsewhere: Self.other, time: 200)
    #expect(finder.steps == [whole])
  }

  /// The links of the begin marker and of the commands of a run: an import, and undos of a step of the same log, of one
  /// step of another log, and of all steps since then.
  private static let runs: [(StepFinder.Link?, StepFinder.Link?)] = [
    (nil, nil), (.here(1), nil), (nil, .elsewhere(other)), (.elsewhere(other), nil),
  ]

  @Test(arguments: 0..<4)
  func `Steps: commands after an interrupted run are separate steps`(kind: Int) {
    let (ofRun, ofCommand) = Self.runs[kind]
    var finder = StepFinder()
    mark(.begin, 2, ofRun, in: &finder)
    command(3, ofCommand, in: &finder)
    command(4, nil, at: 300, in: &finder)
    command(5, .here(4), at: 400, in: &finder)
    let link = ofRun ?? ofCommand
    let run = Step(
      first: 2, events: [3...3], undoes: link?.sequence, undoesElsewhere: link?.name,
      undoesAllSince: ofRun?.name != nil, time: 200,
      run: .init(source: RunMarker(.begin, source: Self.source, count: 0), done: nil))
    let later = Step(first: 4, events: [4...4], time: 300)
    #expect(
      finder.steps == [run, later, Step(first: 5, events: [5...5], undoes: 4, time: 400)])
  }

  /// An event carries the time of the previous event if the clock is behind it.
  @Test(arguments: 0..<4)
  func `Steps: at equal times the link or the clock ends an interrupted run`(kind: Int) {
    let (ofRun, ofCommand) = Self.runs[kind]
    var finder = StepFinder()
    mark(.begin, 2, ofRun, when: 50, in: &finder)
    command(3, ofCommand, when: 50, in: &finder)
    // The events of an import have the times of its source.
    let last: UInt64 = kind == 0 ? 4 : 3
    command(4, nil, when: 90, in: &finder)
    command(5, .here(1), when: 95, in: &finder)
    finder.closeRun()
    #expect(finder.steps.map(\.first) == (kind == 0 ? [2, 5] : [2, 4, 5]))
    #expect(finder.steps.first?.sequences == Set(3...last))
  }

  // MARK: Undo

  /// Undoes with at most two events in each command.
  private func undo(_ scope: UndoScope, by book: Book) throws -> Undone {
    var engine = book.undoEngine
    engine.undoWriter.eventsOfACommand = 2
    return try engine.undo(scope)
  }

  /// Whether these events of a device's own log are shown as an undo, as a redo, or as neither.
  private func undoers(in sequences: Set<UInt64>, of book: Book) throws -> Set<Undoer?> {
    let log = try #require(try book.core.localDevice.ownLog)
    let entries = try book.historyReader.history().entries.filter { entry in
      entry.replica == log && sequences.contains(entry.fact.key.sequence)
    }
    return Set(entries.map(\.undoer))
  }

  @Test func `Log: events of an undo in several commands are all marked as an undo`() throws {
    let office = Office(seed: 2_423)
    let book = try office.found("one")
    _ = try book.commands.perform(.delete(try HeldErasureTests.add(5, to: book)))
    let log = try #require(try book.core.localDevice.ownLog)
    let end = try #require(book.core.store.journal.logs[log]?.sequence)
    var engine = book.undoEngine
    engine.undoWriter.eventsOfACommand = 2
    #expect(try engine.undo(pastErasure: true).map(\.changes.count) == [5])
    #expect(try TrustingTests.names(book).count == 5)
    #expect(try undoers(in: Set(end + 1...end + 10), of: book) == [.undo])
    #expect(try undoers(in: Set(1...end), of: book) == [nil])
    _ = try engine.redo()
    let redone = try #require(book.core.store.journal.logs[log]?.sequence)
    #expect(try undoers(in: Set(redone - 5...redone), of: book) == [.redo])
  }

  @Test func `Undo: a command after an interrupted run stays a separate step`() throws {
    let office = Office(seed: 2_424)
    let founded = try office.found("one")
    let log = try #require(try founded.core.localDevice.ownLog)
    let keys = try #require(try founded.core.localDevice.keys(of: log))
    var journal = try Journal(at: Office.folder, on: office.places[0].machine)
    let time = try #require(journal.logs[log]?.time)
    // An import that a crash has interrupted after its first list.
    let list = Body(.add, .kind(.list), [Write(Field.List.name, .text("imported"))])
    let bodies = [
      RunMarker(.begin, source: Self.source, count: 0).encode(), list.encode { _ in nil },
    ]
    let appended = try journal.append(
      bodies.map { Journaling::Command(time: time + 1, events: [NewEvent(body: $0)]) }, to: log,
      keys: keys)
    office.places[0].simulated.timekeeper.advance(milliseconds: 5_000)
    let book = try office.places[0].open()
    try TrustingTests.add("later", to: book)
    let sequence = try #require(appended.last).sequence
    let entries = try book.historyReader.entries()
    #expect(
      (1...entries.count).compactMap { entries.entry($0)?.first } == [sequence, sequence + 1])
    let known = try book.historyReader.history().entries.map { entries.number(of: $0.entry) }
    #expect(Set(known) == [1, 2])
    try book.core.projector.rebuild()
    #expect(try book.undoEngine.undo().map(\.changes.count) == [1])
    #expect(try TrustingTests.names(book) == ["imported"])
    let fold = try book.undoEngine.undoReader.foldToUndo([log])
    #expect(UndoStack(fold.ownSteps).done.map(\.sequences) == [[sequence]])
  }

  @Test func `Undo: undoing a large step of another device writes one run for this step`() throws {
    let (_, books) = try TrustingTests.office("one", "two", seed: 2_421)
    let (one, two) = (books[0], books[1])
    let ids = try HeldErasureTests.add(5, to: one)
    try TrustingTests.exchange(books)
    _ = try two.commands.perform(.delete(ids))
    try TrustingTests.exchange(books)
    let log = try #require(try two.core.localDevice.ownLog)
    let last = try #require(two.core.store.journal.logs[log]?.sequence)
    let deletes = EventName(log: log, sequence: last - 4)

    let before = try TrustingTests.names(one)
    #expect(try undo(.command("two:\(deletes.sequence)"), by: one).changes.count == 5)
    let restored = try TrustingTests.names(one)
    #expect(Set(restored).subtracting(before) == Set((0..<5).map { "Geheim \($0)" }))
    let fold = try one.undoEngine.undoReader.foldToUndo([log])
    let own = try #require(fold.own)
    let step = try #require(fold.ownSteps.last)
    #expect(step.events.map(\.count) == [2, 2, 1])
    #expect(step.undoesElsewhere == deletes && !step.undoesAllSince && !step.isCutShortElsewhere)
    // An undo of the same step ignores the events of this undo. An undo of another step does not.
    let number = try #require(fold.posting.causality.number(of: log))
    let target = try fold.target(try #require(fold.steps[number]?.last), of: log)
    #expect(fold.leftOut(undoing: target)[own] == step.sequences)
    let first = try fold.target(try #require(fold.steps[number]?.first), of: log)
    #expect(fold.leftOut(undoing: first)[own] == [])
    #expect(try undoers(in: step.sequences, of: one) == [.undo])

    let end = step.sequences.max() ?? 0
    _ = try one.undoEngine.undo()
    #expect(try TrustingTests.names(one) == before)
    // The undo of an undo is a redo.
    #expect(try undoers(in: Set(end + 1...end + 10), of: one) == [.redo])
    _ = try one.undoEngine.redo()
    #expect(try TrustingTests.names(one) == restored)
    _ = try one.undoEngine.undo()
    #expect(try undo(.command("two:\(deletes.sequence)"), by: one).changes.count == 5)
    #expect(try TrustingTests.names(one) == restored)
  }

  @Test func `Undo: undoing all since writes a run for all since, even for one step`() throws {
    let (_, books) = try TrustingTests.office("one", "two", seed: 2_422)
    let (one, two) = (books[0], books[1])
    _ = try undo(.device("two", since: 0), by: one)
    #expect(try TrustingTests.names(one) == ["one"])
    let log = try #require(try two.core.localDevice.ownLog)
    let fold = try one.undoEngine.undoReader.foldToUndo([log])
    let step = try #require(fold.ownSteps.last)
    #expect(step.undoesElsewhere?.log == log && step.undoesAllSince)
    let number = try #require(fold.posting.causality.number(of: log))
    let target = try fold.target(try #require(fold.steps[number]?.first), of: log)
    #expect(
      fold.leftOut(undoing: target) == [try #require(fold.own): [], number: target.sequences])
  }
}

extension UndoTarget {
  fileprivate var sequences: Set<UInt64> { Set(steps.values.joined().flatMap(\.sequences)) }
}
