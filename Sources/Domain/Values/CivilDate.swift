/// A date of the proleptic Gregorian calendar, with parts that may be unknown.
///
/// The forms are those of ISO 8601 and vCard: `1815-12-10`, `1815-12`, `1815`, `--12-10`, `--12`, `---10`. Dates sort
/// by year, month and day, with an unknown part first.
package struct CivilDate: Hashable, Comparable, Sendable {
  package static let years = 1...9999

  /// `year * 512 + month * 32 + day`, with 0 for an unknown part; events contain dates in this form.
  package let packed: Int64

  package init(year: Int? = nil, month: Int? = nil, day: Int? = nil) throws(CivilDateError) {
    if let year, !Self.years.contains(year) { throw .noSuchYear(year) }
    if let month, !(1...12).contains(month) { throw .noSuchMonth(month) }
    if let day, !(1...31).contains(day) { throw .noSuchDay(day) }
    let hasGap = year != nil && month == nil && day != nil
    if hasGap || (year == nil && month == nil && day == nil) { throw .unreadable }
    packed = Self.pack(year ?? 0, month ?? 0, day ?? 0)
    if let month, let day, day > Self.days(inMonth: month, of: year) {
      throw .noSuchDate(
        year: year, month: month, day: day,
        before: CivilDate(valid: year, month, Self.days(inMonth: month, of: year)),
        after: CivilDate(valid: year, month + 1, 1))
    }
  }

  /// Reads a date from an event; nil if the number is not a date.
  package init?(packed: Int64) {
    guard packed > 0, packed < Int64(Self.years.upperBound + 1) * 512 else { return nil }
    let (year, month, day) = (Int(packed / 512), Int(packed / 32 % 16), Int(packed % 32))
    do throws(CivilDateError) {
      self = try CivilDate(
        year: year == 0 ? nil : year, month: month == 0 ? nil : month, day: day == 0 ? nil : day)
    } catch {
      return nil
    }
  }

  // Creates a date from parts that are known to be valid.
  init(valid year: Int?, _ month: Int, _ day: Int) {
    packed = Self.pack(year ?? 0, month, day)
  }

  package var year: Int? { known(Int(packed / 512)) }
  package var month: Int? { known(Int(packed / 32 % 16)) }
  package var day: Int? { known(Int(packed % 32)) }

  /// Whether year, month and day are all known.
  package var isComplete: Bool { year != nil && day != nil }

  package static func < (left: CivilDate, right: CivilDate) -> Bool { left.packed < right.packed }

  private static func pack(_ year: Int, _ month: Int, _ day: Int) -> Int64 {
    Int64(year * 512 + month * 32 + day)
  }

  private func known(_ part: Int) -> Int? { part == 0 ? nil : part }
}

/// The reason why a date is invalid.
package enum CivilDateError: Error, Hashable, Sendable {
  /// The text does not have the form of an ISO date, or the known parts do not form a date.
  case unreadable
  case noSuchYear(Int)
  case noSuchMonth(Int)
  case noSuchDay(Int)
  /// The month has fewer days; `before` and `after` are the dates on both sides of the missing date.
  case noSuchDate(year: Int?, month: Int, day: Int, before: CivilDate, after: CivilDate)
}

extension CivilDate {
  package static func isLeap(_ year: Int) -> Bool {
    year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
  }

  /// The number of days of a month; 29 for February if the year is unknown.
  package static func days(inMonth month: Int, of year: Int?) -> Int {
    switch month {
    case 4, 6, 9, 11: 30
    case 2: year.map(isLeap) ?? true ? 29 : 28
    default: 31
    }
  }
}

extension CivilDate {
  /// The date in ISO 8601; unknown leading parts are hyphens, as in vCard.
  package var iso: String {
    var text: [UInt8] = []
    text.reserveCapacity(10)
    func append(_ number: Int, _ width: Int) {
      if !text.isEmpty { text.append(UInt8(ascii: "-")) }
      var unit = width == 4 ? 1_000 : 10
      while unit > 0 {
        text.append(UInt8(ascii: "0") + UInt8(number / unit % 10))
        unit /= 10
      }
    }
    switch (year, month, day) {
    case (let year?, _, _): append(year, 4)
    case (nil, _?, _): text = [UInt8(ascii: "-")]
    case (nil, nil, _): text = [UInt8(ascii: "-"), UInt8(ascii: "-")]
    }
    if let month { append(month, 2) }
    if let day { append(day, 2) }
    return String(decoding: text, as: UTF8.self)
  }

  /// Reads the forms that ``iso`` writes, and no others.
  package static func parse(_ iso: String) throws(CivilDateError) -> CivilDate {
    var rest = iso.utf8[...]
    let hyphens = rest.prefix { $0 == UInt8(ascii: "-") }.count
    rest = rest.dropFirst(hyphens)
    var numbers: [Int] = []
    for group in rest.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false) {
      let width = hyphens == 0 && numbers.isEmpty ? 4 : 2
      guard group.count == width, group.allSatisfy({ (0x30...0x39).contains($0) }) else {
        throw .unreadable
      }
      numbers.append(group.reduce(0) { $0 * 10 + Int($1 - 0x30) })
    }
    return switch (hyphens, numbers.count) {
    case (0, 1): try CivilDate(year: numbers[0])
    case (0, 2): try CivilDate(year: numbers[0], month: numbers[1])
    case (0, 3): try CivilDate(year: numbers[0], month: numbers[1], day: numbers[2])
    case (2, 1): try CivilDate(month: numbers[0])
    case (2, 2): try CivilDate(month: numbers[0], day: numbers[1])
    case (3, 1): try CivilDate(day: numbers[0])
    default: throw .unreadable
    }
  }
}
