internal import Bytes
internal import Domain

/// Writes birthdays as the cards of an address book, in version 3.0 or 4.0.
enum VCardWriter {
  static func write(_ contents: ExportContents, _ settings: ExportSettings) -> ForeignText.Written {
    let version = settings.version ?? 3
    let documents = contents.documents(.birthday)
    let cards = documents.map { card($0, contents, version: version) }
    var written = ForeignText.Written(cards.joined(), count: cards.count)
    written.loseAll(of: contents, but: [.birthday])
    return written
  }

  private static func card(
    _ document: Document, _ contents: ExportContents, version: Int
  ) -> String {
    guard let birthday = Birthday(document) else { return "" }
    let kept = ForeignExtra(of: document, format: .vCard)
    var rest = ContentLine.lines(of: kept.properties[VCard.lines])
    var lines = [
      ContentLine("BEGIN", "VCARD"), ContentLine("VERSION", version >= 4 ? "4.0" : "3.0"),
      ContentLine("PRODID", "-//daybook//daybook 1//EN"),
      uid(of: document, &rest, version: version),
    ]
    lines += names(of: birthday, &rest)
    if let date = birthday.birthdate {
      rest.removeAll { $0.name == "BDAY" }
      lines.append(VCardBirthday.line(date, version: version))
    }
    lines += fields(of: document, birthday)
    if let change = contents.lastChange(of: document), let text = BasicInstant.text(change) {
      lines.append(ContentLine("REV", text))
    }
    lines += rest.map { $0.converted(toVersion: version) }
    // What was written, as whoever reads it finds it.
    let fields = VCardReader.fields(of: Component(name: "VCARD", place: .line(0), lines: lines))
    lines.append(ContentLine("X-DAYBOOK-BASE", FieldDigests(fields, of: .birthday).text))
    lines.append(ContentLine("END", "VCARD"))
    return lines.map(\.folded).joined()
  }

  private static func uid(
    of document: Document, _ rest: inout [ContentLine], version: Int
  ) -> ContentLine {
    if let place = rest.firstIndex(where: { $0.name == "UID" }) { return rest.remove(at: place) }
    let foreign = document.uid(from: .vCard).flatMap { $0.hasPrefix("=") ? nil : $0 }
    let uid = foreign ?? document.id.uuid
    let isURN = version >= 4 && UniqueID(uuid: uid) != nil
    return ContentLine("UID", isURN ? "urn:uuid:" + uid : ContentLine.escaped(uid))
  }

  /// The names, with what the card had beside them as long as they are the same.
  private static func names(
    of birthday: Birthday, _ rest: inout [ContentLine]
  ) -> [ContentLine] {
    let readable = Component(name: "VCARD", place: .line(0), lines: rest)
    let (structured, formatted) = (readable.first("N"), readable.first("FN"))
    rest.removeAll { $0.unreadableSet == nil && ($0.name == "N" || $0.name == "FN") }
    let name = VCardName(first: birthday.firstName, last: birthday.lastName)
    let isSame = VCardName(structured, formatted) == name
    var own = ContentLine("N", name.structured)
    if let structured, !isSame {
      // Further names and titles are still theirs.
      let parts = ContentLine.split(structured.value, at: ";").dropFirst(2)
      let names = [name.last ?? "", name.first ?? ""].map(ContentLine.escaped)
      own.value = (names + parts).joined(separator: ";")
    }
    let full = ContentLine("FN", ContentLine.escaped(name.full))
    return isSame ? [formatted ?? full, structured ?? own] : [full, own]
  }

  private static func fields(of document: Document, _ birthday: Birthday) -> [ContentLine] {
    var lines: [ContentLine] = []
    if let note = document.note { lines.append(ContentLine("NOTE", ContentLine.escaped(note))) }
    if !document.tags.isEmpty {
      let tags = document.tags.map(ContentLine.escaped).joined(separator: ",")
      lines.append(ContentLine("CATEGORIES", tags))
    }
    if let rule = birthday.leapRule {
      lines.append(ContentLine("X-DAYBOOK-LEAP-RULE", rule == .march1 ? "MAR1" : "FEB28"))
    }
    if !birthday.lead.isEmpty {
      let lead = birthday.lead.map(ContentLine.escaped).joined(separator: ",")
      lines.append(ContentLine("X-DAYBOOK-LEAD", lead))
    }
    return lines
  }
}
