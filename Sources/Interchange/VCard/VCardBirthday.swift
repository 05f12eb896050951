internal import Domain

/// The date of birth on a card, in all forms that programs write.
struct VCardBirthday: Equatable {
  var date: CivilDate?
  var note: ForeignNote?

  /// The placeholder for an unknown year in address books.
  static let yearMeaningNone = 1604
  /// Years that some programs write for an unknown year: the first years of spreadsheets, and of the old systems of
  /// Palm and Apple.
  static let oddYears = [1900, 1904]

  /// Reads the property BDAY; nil if it is empty, which has no meaning.
  init?(_ line: ContentLine) {
    let words = line.text.trimmed
    guard !words.isEmpty else { return nil }
    guard var parts = ForeignDate.iso(words) ?? ForeignDate.named(words) else {
      note = .keptAsWritten(field: "BDAY", words)
      return
    }
    let omitted = line.values("X-APPLE-OMIT-YEAR").first.flatMap { Int($0.trimmed) }
    if let year = parts.year {
      if year == omitted {
        parts.year = nil
      } else if year == Self.yearMeaningNone || year == 0 {
        parts.year = nil
        note = .yearLeftOut(year)
      } else if Self.oddYears.contains(year) {
        note = .oddYear(year)
      }
    }
    do throws(CivilDateError) {
      date = try CivilDate(year: parts.year, month: parts.month, day: parts.day)
    } catch {
      note = .keptAsWritten(field: "BDAY", words)
    }
  }

  /// Returns the property for a date.
  ///
  /// - Parameters:
  ///   - date: The date.
  ///   - version: The version of the format.
  ///   - old: The property to replace, whose group, parameters and time of day are kept.
  /// - Returns: The property.
  static func line(_ date: CivilDate, version: Int, like old: ContentLine?) -> ContentLine {
    var line = line(date, version: version)
    guard let old else { return line }
    let own = ["VALUE", "X-APPLE-OMIT-YEAR"]
    (line.group, line.spelling) = (old.group, old.spelling)
    line.parameters = old.parameters.filter { !own.contains($0.name) } + line.parameters
    // Some programs state the type of the date even if it is the default.
    let isTimed =
      date.month != nil && date.day != nil && old.value.contains("T")
      && ForeignDate.iso(old.value.trimmed) != nil
    if !isTimed, old.has("VALUE", "DATE"), line.values("VALUE").isEmpty {
      line.parameters.append(.init(name: "VALUE", values: old.values("VALUE")))
    }
    guard isTimed, let start = old.value.firstIndex(of: "T") else { return line }
    let time = String(old.value[start...])
    // Version 4.0 writes times and time zones without colons.
    line.value += version >= 4 ? time.replacing(":", with: "") : time
    if old.has("VALUE", "DATE-TIME") || version < 4 && old.has("VALUE", "DATE-AND-OR-TIME") {
      line.parameters.append(.init(name: "VALUE", values: ["date-time"]))
    }
    return line
  }

  /// Returns the property for a date in a version of the format.
  private static func line(_ date: CivilDate, version: Int) -> ContentLine {
    let year = date.year == yearMeaningNone ? nil : date.year
    let isYearless = year == nil && date.month != nil && date.day != nil
    let text = isYearless ? "--" + date.iso.suffix(5) : date.iso
    if version >= 4 {
      // A year and month keep their hyphen, which distinguishes them from a day without a year.
      let isWhole = date.day != nil && date.month != nil
      let plain = text.replacing("-", with: "")
      return ContentLine("BDAY", isWhole ? (isYearless ? "--" + plain : plain) : text)
    }
    if isYearless {
      let parameter = ContentLine.Parameter(
        name: "X-APPLE-OMIT-YEAR", values: ["\(yearMeaningNone)"])
      return ContentLine("BDAY", [parameter], "\(yearMeaningNone)-" + text.dropFirst(2))
    }
    // Version 3 supports only complete dates. As text, an incomplete date cannot be misread as another date.
    let isText = !date.isComplete
    return ContentLine("BDAY", isText ? [.init(name: "VALUE", values: ["text"])] : [], text)
  }
}

extension ContentLine {
  init(_ name: String, _ value: String) { self.init(name, [], value) }
}
