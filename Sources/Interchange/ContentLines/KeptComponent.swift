internal import Domain

/// Keeps a card, event or to-do with its record as it was read, so that an export changes only what has changed since
/// then.
enum KeptComponent {
  /// The properties, unfolded, one per line.
  static let lines = "lines"
  /// Alarms and other nested components.
  static let parts = "parts"
  /// The time zones that the properties refer to.
  static let zones = "zones"

  /// Other components with the same uid: the exceptions for single dates.
  static let exceptions = "exceptions"

  /// The state of the fields when the component was written, as ``FieldDigests``.
  static let base = "X-DAYBOOK-BASE"
  /// The book that wrote the component, and what that book had read from other books, as ``RecordOrigin``.
  static let origin = "X-DAYBOOK-FROM"
  /// The properties that every export writes again.
  static let ownLines: Set<String> = [base, origin, digest, slots]
  /// The properties that the digest does not cover.
  static let unsigned: Set<String> = [base, origin, digest]
  /// The digest, when the component was written, of all lines except those in ``unsigned``.
  static let digest = "X-DAYBOOK-DIGEST"
  /// The stored data of a book about the dates of a series.
  ///
  /// This property is not kept, because it can be too long, and each occurrence contains its own data.
  static let slots = "X-DAYBOOK-OCCURRENCES"
  /// Marks an alarm that exists only because the user requested it for an export.
  static let ownAlarm = "X-DAYBOOK-ALARM"

  /// Returns the maximum number of bytes of properties to keep.
  ///
  /// Together with all other kept properties, this is less than the maximum for a record. Cards keep few other
  /// properties.
  private static func keptBytes(of component: Component) -> Int {
    component.name == "VCARD" ? 48 << 10 : 40 << 10
  }

  /// The maximum number of bytes to keep for each kind of component.
  private static let keptPartBytes = 7 << 10

  /// The text of a component, made only once even if many records keep it.
  struct Text {
    let name: String
    let bytes: Int
    /// The text; empty if the component is too long to keep.
    let text: String

    init(_ component: Component) {
      let text = component.text.joined(separator: "\n")
      (name, bytes) = (component.name, text.utf8.count)
      self.text = bytes < keptPartBytes ? text : ""
    }
  }

  /// Keeps a component with the record read from it.
  ///
  /// - Parameters:
  ///   - component: The component.
  ///   - zones: The time zones that the component refers to.
  ///   - exceptions: The components for single dates, with the same uid. Components that daybook wrote are not kept.
  ///   - record: The record.
  ///   - notes: The notes about the record.
  static func keep(
    _ component: Component, zones: [Text] = [], exceptions: [Component] = [],
    in record: inout ForeignRecord, _ notes: inout [ForeignNote]
  ) {
    let base = component.first(base).flatMap { FieldDigests($0.value) }
    record.setOrigin(base, component.first(origin)?.value)
    let digest = component.digest(with: exceptions.flatMap(\.text))
    if component.first(self.digest)?.value == digest { record.standing = .asWritten }
    keep(component.lines, atMost: keptBytes(of: component), in: &record, &notes)
    // Alarms that an export added are not part of the event.
    let foreign = component.children.filter { $0.first(ownAlarm) == nil }
    keep(foreign.map(Text.init), as: parts, in: &record, &notes)
    keep(zones, as: self.zones, in: &record, &notes)
    let others = exceptions.filter { $0.first(self.base) == nil }
    keep(others.map(Text.init), as: self.exceptions, in: &record, &notes)
  }

  /// Notes that foreign alarms are kept but do not ring here.
  static func tellAlarms(of component: Component, _ notes: inout [ForeignNote]) {
    let isForeign = component.children.contains {
      $0.name == "VALARM" && $0.first(ownAlarm) == nil
    }
    if isForeign { notes.append(.notActedOn("VALARM")) }
  }

  /// Keeps properties in their order; if they are too long in total, the largest are dropped first, and noted if
  /// the record does not have their text as a value.
  private static func keep(
    _ lines: [ContentLine], atMost keptBytes: Int, in record: inout ForeignRecord,
    _ notes: inout [ForeignNote]
  ) {
    for line in lines {
      if let bytes = line.excessBytes { notes.append(.leftOut(line.name, bytes: bytes)) }
      if let set = line.unreadableSet {
        notes.append(.undecoded(field: line.name, set: set))
      }
    }
    let kept = lines.filter { $0.excessBytes == nil && !ownLines.contains($0.name) }
    let texts = kept.map(\.unfolded)
    let sizes = texts.map { $0.utf8.count + 1 }
    var total = sizes.reduce(0, +)
    var dropped: Set<Int> = []
    for place in sizes.indices.sorted(by: { (sizes[$1], $0) < (sizes[$0], $1) }) {
      guard total > keptBytes else { break }
      dropped.insert(place)
      total -= sizes[place]
      // The text is stored as a value of the record, so nothing is lost.
      guard !isValue(kept[place].text, of: record) else { continue }
      notes.append(.leftOut(kept[place].name, bytes: sizes[place] - 1))
    }
    let rest = texts.indices.filter { !dropped.contains($0) }.map { texts[$0] }
    if !rest.isEmpty { record.extra[self.lines] = rest.joined(separator: "\n") }
  }

  /// Whether the note or the title of a record contains a text.
  private static func isValue(_ text: String, of record: ForeignRecord) -> Bool {
    record.fields.values.contains { content in
      guard case .value(let value) = content, let words = value.text else { return false }
      return words.contains(text.trimmed)
    }
  }

  private static func keep(
    _ components: [Text], as name: String, in record: inout ForeignRecord,
    _ notes: inout [ForeignNote]
  ) {
    guard let first = components.first else { return }
    let bytes = components.reduce(components.count - 1) { $0 + $1.bytes }
    guard bytes < keptPartBytes else { return notes.append(.leftOut(first.name, bytes: bytes)) }
    record.extra[name] =
      components.count == 1 ? first.text : components.map(\.text).joined(separator: "\n")
  }

  /// Returns the lines that describe the state of a component when it was written, and the book that wrote it.
  static func lines(of base: FieldDigests, _ origin: RecordOrigin?) -> [ContentLine] {
    [ContentLine(self.base, base.text)]
      + (origin.map { [ContentLine(self.origin, $0.text(beside: base))] } ?? [])
  }

  /// Returns the kept properties without the times at which they were written, because a change to only these times is
  /// ignored.
  static func withoutStamps(_ extra: [String: String]) -> [String: String] {
    guard let text = extra[lines] else { return extra }
    var extra = extra
    extra[lines] = text.split(separator: "\n").filter { line in
      !["DTSTAMP", "REV"].contains(line.prefix { $0 != ":" && $0 != ";" }.uppercased())
    }.joined(separator: "\n")
    return extra
  }
}

extension Component {
  /// The digest of a component without the other components that belong to it.
  var digest: String { digest(with: []) }

  /// Returns ten hexadecimal digits that change with any line except those in `unsigned`, and with the lines of other
  /// components that belong to this component.
  func digest(with others: [String]) -> String {
    let texts =
      lines.filter { !KeptComponent.unsigned.contains($0.name) }.map(\.unfolded)
      + children.flatMap(\.text) + others
    return FieldDigests.digest(of: texts.flatMap { Array($0.utf8) + [0x0a] })
  }
}
