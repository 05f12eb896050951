/// Recognises the format of a file by its first bytes or, if they are inconclusive, by its name or structure.
extension FileFormat {
  /// The number of bytes at the start of a file that are examined.
  package static let recognitionBytes = 65_536

  /// Returns the format of a file; nil if neither its first bytes nor its name reveals it.
  package static func recognise(_ bytes: [UInt8], name: String?) -> FileFormat? {
    let start = ForeignText.decode(Array(bytes.prefix(recognitionBytes))).text
    return byMagic(bytes) ?? byWords(start) ?? name.flatMap(byName) ?? byLooks(start)
  }

  private static func byMagic(_ bytes: [UInt8]) -> FileFormat? {
    if bytes.starts(with: "SQLite format 3\0".utf8) { return .coreData }
    if bytes.starts(with: "bplist".utf8) { return .propertyList }
    return nil
  }

  /// Recognises first bytes that only one format has.
  private static func byWords(_ text: String) -> FileFormat? {
    let start = text.trimmingPrefix(while: \.isWhitespace)
    let head = start.prefix(64).uppercased()
    if head.hasPrefix("BEGIN:VCARD") { return .vCard }
    if head.hasPrefix("BEGIN:VCALENDAR") { return .iCalendar }
    if head.hasPrefix("<!DOCTYPE PLIST") || head.hasPrefix("<PLIST") { return .propertyList }
    if head.hasPrefix("<?XML"), start.prefix(1024).contains("<plist") { return .propertyList }
    guard let first = start.first(where: { !$0.isWhitespace }) else { return nil }
    if first == "{", start.prefix(4096).contains(/"tasks#task(List)?s"/) { return .googleTasks }
    if first == "{" { return start.firstLine.contains("\"op\"") ? .operations : byObjects(start) }
    if first == "[", start.dropFirst().first(where: { !$0.isWhitespace }) == "{" {
      return .taskwarrior
    }
    return nil
  }

  private static func byObjects(_ text: Substring) -> FileFormat? {
    // An old-style property list also begins with a brace, but has no colons after its keys.
    let isJSON = text.dropFirst().first { !$0.isWhitespace } == "\""
    guard isJSON, text.prefix(4096).contains(":") else { return nil }
    return text.contains("\"description\"") && text.contains("\"uuid\"")
      ? .taskwarrior : .operations
  }

  package static func byName(_ name: String) -> FileFormat? {
    let name = name.lowercased()
    if name.hasSuffix("todo.txt") || name.hasSuffix("done.txt") { return .todoTxt }
    guard let point = name.lastIndex(of: ".") else { return nil }
    return switch name[name.index(after: point)...] {
    case "vcf", "vcard": .vCard
    case "ics", "ical", "ifb", "icalendar": .iCalendar
    case "csv", "tsv", "tab": .csv
    case "md", "markdown", "mdown": .markdown
    case "plist": .propertyList
    case "sqlite", "store", "sqlite3": .coreData
    case "jsonl", "ops": .operations
    case "json": .taskwarrior
    case "txt": .todoTxt
    default: nil
    }
  }

  /// Recognises a file by its structure if nothing else reveals the format, as for standard input, which has no name.
  private static func byLooks(_ text: String) -> FileFormat? {
    let lines = text.split(whereSeparator: \.isNewline).prefix(50)
    let boxes = ["-", "*"].flatMap { mark in [" ", "x", "X", "/", "-"].map { "\(mark) [\($0)]" } }
    let isBoxed = lines.contains { line in
      boxes.contains { line.trimmingPrefix(while: \.isWhitespace).hasPrefix($0) }
    }
    if isBoxed { return .markdown }
    return CSVHeader.isIn(text) ? .csv : nil
  }
}

extension Substring {
  fileprivate var firstLine: Substring { prefix { !$0.isNewline } }
}
