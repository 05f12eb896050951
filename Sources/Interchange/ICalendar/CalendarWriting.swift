internal import Domain

/// A calendar that is being written.
struct CalendarWriting {
  let contents: ExportContents
  let settings: ExportSettings
  /// The context in which a reader reads the file.
  let context: CalendarContext
  var lines: [ContentLine] = []
  var zones: [String] = []
  /// The number of records.
  ///
  /// One birthday may need several events.
  var count = 0
  var lost = ForeignText.Written()

  init(_ contents: ExportContents, _ settings: ExportSettings) {
    (self.contents, self.settings) = (contents, settings)
    var calendar = Component(name: "VCALENDAR", place: .line(0))
    calendar.lines = [Self.product]
    var reading = ForeignSettings()
    (reading.localOffset, reading.zoneOffset) = (settings.localOffset, settings.zoneOffset)
    context = CalendarContext(calendar, reading)
  }

  private static let product = ContentLine("PRODID", "-//daybook//daybook 1//EN")

  /// The file: its head, the time zones that it refers to, and the components.
  var written: ForeignText.Written {
    var file = lost
    let head = [
      ContentLine("BEGIN", "VCALENDAR"), ContentLine("VERSION", "2.0"),
      Self.product, ContentLine("CALSCALE", "GREGORIAN"),
      ContentLine("NAME", "daybook"), ContentLine("X-WR-CALNAME", "daybook"),
      ContentLine("REFRESH-INTERVAL", [.init(name: "VALUE", values: ["DURATION"])], "PT12H"),
      ContentLine("X-PUBLISHED-TTL", "PT12H"),
    ]
    let all =
      head + zones.flatMap { ContentLine.lines(of: $0) } + lines
      + [ContentLine("END", "VCALENDAR")]
    file.bytes = Array(all.map(\.folded).joined().utf8)
    file.count = count
    return file
  }

  /// Adds a component with digests of the fields that a reader finds in it, and the components kept with it.
  ///
  /// - Parameters:
  ///   - name: The name of the component.
  ///   - properties: The properties of the component.
  ///   - told: The record that a reader finds.
  ///   - parts: The lines of inner components.
  ///   - kept: The properties kept from the file that was last read.
  ///   - exceptions: The components for single dates.
  ///   - document: The record.
  mutating func append(
    _ name: String, _ properties: [ContentLine], _ told: ForeignRecord?, _ parts: [ContentLine],
    _ kept: ForeignExtra, exceptions: [Component], of document: Document
  ) {
    lines.append(ContentLine("BEGIN", name))
    lines += properties
    if let told {
      let base = FieldDigests(told.fields, of: told.kind)
      lines += KeptComponent.lines(of: base, contents.origin(of: document, as: base, kept))
      let component = Component(name: name, place: .line(0), lines: properties + parts)
      let digest = component.digest(with: exceptions.flatMap(\.text))
      lines.append(ContentLine(KeptComponent.digest, digest))
    }
    lines += parts
    lines.append(ContentLine("END", name))
    lines += exceptions.flatMap { ContentLine.lines(of: $0.text.joined(separator: "\n")) }
    if let zone = kept.properties[KeptComponent.zones], !zones.contains(zone) { zones.append(zone) }
    count += 1
  }

  var stamp: ContentLine { ContentLine("DTSTAMP", BasicInstant.text(settings.now) ?? "") }

  static func text(_ name: String, _ text: String) -> ContentLine {
    ContentLine(name, ContentLine.escaped(text))
  }

  func common(_ document: Document) -> [ContentLine] {
    var lines: [ContentLine] = []
    if let note = document.note { lines.append(Self.text("DESCRIPTION", note)) }
    if let change = contents.lastChange(of: document), let text = BasicInstant.text(change) {
      lines.append(ContentLine("LAST-MODIFIED", text))
    }
    return lines
  }

  func categories(_ names: [String]) -> [ContentLine] {
    names.isEmpty
      ? [] : [ContentLine("CATEGORIES", names.map(ContentLine.escaped).joined(separator: ","))]
  }
}
