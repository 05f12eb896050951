internal import Domain

/// The name on a card.
struct VCardName: Equatable {
  var first: String?
  var last: String?

  init(first: String?, last: String?) { (self.first, self.last) = (first, last) }

  /// Reads the structured name or, if there is none, splits the formatted name.
  init(_ structured: ContentLine?, _ formatted: ContentLine?) {
    let parts = structured.map { line in
      ContentLine.split(line.value, at: ";").map { part in
        ContentLine.split(part, at: ",").map { ContentLine.unescaped($0).trimmed }
          .joined(separator: " ").trimmed
      }
    }
    last = parts?.first.flatMap(Self.some)
    first = parts?.dropFirst().first.flatMap(Self.some)
    if first == nil, last == nil, let full = formatted?.text {
      (first, last) = ForeignName.split(full)
    }
  }

  private static func some(_ text: String) -> String? { text.isEmpty ? nil : text }

  var full: String { [first, last].compactMap(\.self).joined(separator: " ") }

  var structured: String {
    [last ?? "", first ?? "", "", "", ""].map(ContentLine.escaped).joined(separator: ";")
  }
}
