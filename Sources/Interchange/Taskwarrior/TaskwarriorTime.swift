internal import Domain

/// Instants in Taskwarrior's format, such as `20261120T120000Z`.
enum TaskwarriorTime {
  static func parse(_ text: String) -> Int64? {
    let bytes = Array(text.utf8)
    let digits = bytes.prefix(8) + bytes.dropFirst(9).prefix(6)
    guard bytes.count == 16, bytes[8] == UInt8(ascii: "T"), bytes[15] == UInt8(ascii: "Z"),
      digits.allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    func part(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
    let date = "\(part(0..<4))-\(part(4..<6))-\(part(6..<8))"
    return Instant.parse("\(date)T\(part(9..<11)):\(part(11..<13)):\(part(13..<15))Z")
  }

  /// Formats an instant to the second; nil outside the years 1 to 9999.
  static func text(_ milliseconds: Int64) -> String? {
    Instant.text(milliseconds).map { text in
      String(text.prefix(19).filter { $0 != "-" && $0 != ":" }) + "Z"
    }
  }
}

/// The local day of an instant in a task, and the minute of that day.
struct TaskwarriorDay: Equatable {
  let day: CivilDate
  /// The minute; nil if the instant stands for the whole day.
  ///
  /// Taskwarrior has no whole days, so `due:tomorrow` is the first second of a day, and `due:eod` is the last.
  let minute: Int64?
  /// Whether the instant is a whole minute, or stands for the whole day.
  let isExact: Bool

  /// Reads an instant in milliseconds; nil outside the years 1 to 9999.
  init?(_ milliseconds: Int64, _ settings: ForeignSettings) {
    guard let day = settings.localDay(of: milliseconds), let epochDay = day.epochDay else {
      return nil
    }
    let shown = milliseconds + Int64(settings.localOffset(milliseconds)) * 1000
    let second = (shown - Int64(epochDay) * 86_400_000) / 1000
    // If clocks are put forward at midnight, a day begins later.
    let isWhole = settings.start(of: day) == milliseconds || second == 86_399
    self.day = day
    minute = isWhole ? nil : second / 60
    isExact = isWhole || second.isMultiple(of: 60)
  }

  /// The day and the time, for notes.
  var text: String {
    day.iso + (minute.flatMap { TimeOfDay(minute: $0) }.map { " " + $0.text } ?? "")
  }
}
