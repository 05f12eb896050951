import Bytes
import Domain
import Testing

@Suite struct SeriesTests {
  @Test func `Repeat rule: each rule of the vector has its first dates`() throws {
    let vector = try ProtocolText.vector("rules")
    #expect(vector.pairs.count == 34 * 3)
    for number in 1...34 {
      let rule = try RepeatRule(canonical: vector.text("rule \(number)"))
      let anchor = try CivilDate.parse(vector.text("anchor \(number)"))
      let dates = try #require(RepeatDates(rule, anchor: anchor))
      let found = dates.prefix(6).map(\.iso).joined(separator: " ")
      #expect(found == (try vector.text("dates \(number)")), "\(rule.text)")
    }
  }

  @Test func `Repeat rule: no text of the vector is a rule`() throws {
    let vector = try ProtocolText.vector("texts that are not rules")
    #expect(vector.pairs.count == 38)
    for (_, text) in vector.pairs {
      #expect(RepeatRule(canonicalIfValid: text) == nil, "\(text)")
    }
  }

  @Test func `Occurrence: its source follows from the series and the slot`() throws {
    let vector = try ProtocolText.vector("sources of occurrences")
    #expect(vector.pairs.count == 4 * 4)
    for number in 1...4 {
      let hasSource = try vector.text("series \(number)") != "none"
      let bytes = try hasSource ? vector.bytes("series \(number)") : []
      let series = Source(Value.other(bytes))
      #expect((series != nil) == hasSource)
      let slot = try #require(CivilDate(packed: try vector.number("slot \(number)")))
      let source = Source(occurrence: slot, of: series, id: try vector.id("id \(number)"))
      #expect(source.encoded == (try vector.bytes("source \(number)")))
    }
  }

  static func series() throws -> [TestVector] {
    try ProtocolText.vectors().filter { $0.name.hasPrefix("series: ") }
  }

  @Test(arguments: try series()) func `Series: each vector has its next and its current slot`(
    vector: TestVector
  ) throws {
    let values = Dictionary(uniqueKeysWithValues: vector.pairs)
    let series = try #require(
      Series(
        rule: try RepeatRule(canonical: vector.text("repeat")),
        due: try CivilDate.parse(vector.text("due")),
        start: try values["start"].map(CivilDate.parse),
        until: try values["until"].map(CivilDate.parse),
        closing: try values["itself"].flatMap { try SlotWords($0).closing }))
    let occurrences = try vector.pairs.filter { $0.key.hasPrefix("occurrence ") }.enumerated()
      .map { place, pair in try SlotWords(pair.value).occurrence(UInt64(place)) }
    let state = SeriesState(series, occurrences)
    #expect((state.next?.iso ?? "none") == (try vector.text("next")))
    let current = state.current.map { SlotWords($0.slot, due: $0.due, start: $0.start).text }
    #expect((current ?? "none") == (try vector.text("current")))
    let last = Recurrence(subtaskWith: [], of: state).slot?.iso ?? "none"
    #expect(values["sub-tasks"] == (state.isFinished ? last : nil))
  }

  @Test func `Series: the to-dos of the small book show the values of the vector`() throws {
    let vector = try ProtocolText.vector("fold: series")
    let records = try Records.folding(
      ["phone", "desk"].map { try FramePart(file: vector.bytes($0)) })
    #expect(records.digest() == (try vector.digest("digest")))
    let shown = records.documents(.todo).filter(\.isAlive).map { document in
      "\(document.id.hex) = \(Self.line(of: document, in: records))"
    }
    let lines = vector.pairs.filter { UniqueID(hex: $0.key) != nil }
    #expect(shown == lines.map { "\($0.key) = \($0.value)" })
  }

  /// The visible state of a to-do, in the words of the vector.
  private static func line(of document: Document, in records: Records) -> String {
    if let stored = Series.Occurrence(document) {
      let words = SlotWords(
        stored.slot, closing: stored.closing, due: stored.due, start: stored.start)
      return words.text
    }
    guard let recurrence = records.recurrence(of: document.key) else { return "a plain to-do" }
    guard recurrence.isOfSubtask else {
      let current = recurrence.state.current
      let words = current.map { SlotWords($0.slot, due: $0.due, start: $0.start).text }
      return "series, \(words ?? "none")"
    }
    let words = recurrence.slot.map { SlotWords($0, closing: recurrence.closing).text }
    return "sub-task, \(words ?? "none")"
  }
}

/// The text of a vector about a slot: `slot 2026-11-23 done closedOn 2026-11-26`.
private struct SlotWords {
  let text: String

  init(_ text: String) { self.text = text }

  init(
    _ slot: CivilDate, closing: Series.Closing? = nil, due: CivilDate? = nil,
    start: CivilDate? = nil
  ) {
    let kind: [Series.Closing.Kind: String] = [.done: "done", .skipped: "cancelled"]
    var words = ["slot \(slot.iso)"]
    if let closing { words.append(kind[closing.kind] ?? "") }
    for (name, day) in [("closedOn", closing?.day), ("due", due), ("start", start)] {
      if let day { words.append("\(name) \(day.iso)") }
    }
    text = words.joined(separator: " ")
  }

  var closing: Series.Closing? {
    get throws {
      let words = text.split(separator: " ")
      return Series.Closing(
        isDone: words.contains("done"), isCancelled: words.contains("cancelled"),
        closedOn: try day("closedOn"))
    }
  }

  /// The occurrence, whose id is a number.
  func occurrence(_ id: UInt64) throws -> Series.Occurrence {
    Series.Occurrence(
      EventKey(log: 0, sequence: id + 1), id: UniqueID(high: 0, low: id),
      slot: try #require(try day("slot")), closing: try closing, due: try day("due"),
      start: try day("start"))
  }

  private func day(_ name: String) throws -> CivilDate? {
    let words = text.split(separator: " ")
    guard let place = words.firstIndex(of: name[...]) else { return nil }
    return try CivilDate.parse(String(words[place + 1]))
  }
}
