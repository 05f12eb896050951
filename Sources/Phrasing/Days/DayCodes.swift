/// Forms that do not belong to any language: numbers, and short codes.
///
/// The numbers of weeks and of days of the year follow ISO 8601. The codes are those of Taskwarrior.
enum DayCodes {
  static let language = DayLanguage(
    "Any language",
    examples: [
      "2026-12-24", "24.12.", "24.12.2026", "24/12/2026", "20261224", "2026-330", "W49",
      "2026-W49-1", "+3d", "2w", "-1m", "1y", "eow", "eom", "eoy", "sow", "som", "soy", "17:00",
    ],
    vocabulary: [.unit: Vocabulary.list("d", "w", "m", "y")],
    days: [
      "[+]{number}{unit}": .distance(1), "-{number}{unit}": .distance(-1),
      "{day}.{monthNumber}[.{year}]": .date,
      "[{year}-]w{week}[-{isoDay}]": .week, "{year}-{yearDay}": .yearDay,
      "eow": .last(.week, 0), "eom": .last(.month, 0), "eoy": .last(.year, 0),
      "sow": .first(.week, 1), "som": .first(.month, 1), "soy": .first(.year, 1),
    ],
    times: ["[t]{hour}:{minute}": .clock()])
}
