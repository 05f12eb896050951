/// Days and times in English.
///
/// `friday`, `this friday` and `next friday` all mean the next Friday. `next` means the Friday that follows immediately
/// (American Heritage Dictionary, Oxford Advanced Learner's Dictionary, "next"), although some speakers use it for the
/// Friday after that. `friday next week` is unambiguous, and `monday week` is the Monday a week after next Monday.
enum EnglishDays {
  static let language = DayLanguage(
    "English",
    examples: [
      "today", "tonight", "now", "tomorrow", "tmrw", "day after tomorrow", "2 days ago", "friday",
      "fri", "next friday", "monday week", "last monday", "friday next week", "in 3 days",
      "two weeks", "2 weeks from now", "next week", "next month", "next year", "this weekend",
      "end of month", "end of year", "mid january", "the 5th", "24 dec", "dec 24", "26nov",
      "1st of january", "first monday of december", "week 49", "christmas", "new year", "5pm",
      "5:30 pm", "noon", "tomorrow 17:00", "never", "none",
    ],
    vocabulary: [
      .weekday: Vocabulary.list(
        "monday mon", "tuesday tue tues", "wednesday wed weds", "thursday thu thur thurs",
        "friday fri", "saturday sat", "sunday sun"),
      .month: Vocabulary.list(
        "january jan", "february feb", "march mar", "april apr", "may", "june jun", "july jul",
        "august aug", "september sep sept", "october oct", "november nov", "december dec"),
      .unit: Vocabulary.list("day days", "week weeks", "month months", "year years"),
      .span: [
        ("second", 1), ("seconds", 1), ("sec", 1), ("secs", 1), ("minute", 60), ("minutes", 60),
        ("min", 60), ("mins", 60), ("hour", 3600), ("hours", 3600), ("h", 3600), ("day", 86_400),
        ("days", 86_400), ("week", 604_800), ("weeks", 604_800),
      ],
      .number: Vocabulary.list(
        "a an one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
        "eleven", "twelve"),
      .ordinal: Vocabulary.list(
        "first 1st", "second 2nd", "third 3rd", "fourth 4th", "last"),
      .nth: ordinals, .day: ordinals,
      .period: [
        ("in the morning", DayPeriod.morning.rawValue), ("morning", DayPeriod.morning.rawValue),
        ("in the afternoon", DayPeriod.afternoon.rawValue),
        ("afternoon", DayPeriod.afternoon.rawValue),
        ("in the evening", DayPeriod.evening.rawValue), ("evening", DayPeriod.evening.rawValue),
        ("at night", DayPeriod.evening.rawValue), ("night", DayPeriod.evening.rawValue),
      ],
    ],
    days: days, looseDays: looseDays, times: times, agos: ["{number} {span} ago"],
    aheads: ["in {number} {span}", "{number} {span} from now"],
    others: [
      .never: ["never", "none"], .someday: ["someday", "later"], .now: ["now"],
      .repeating: [
        "every", "every!", "each", "daily", "weekly", "monthly", "yearly", "annually", "weekdays",
        "after done",
      ],
    ],
    rewrites: [("tonight", "today evening")], characters: ["’": "'"])

  private static let days: KeyValuePairs<String, DayMeaning> = [
    "today[ evening]": .days(0), "this (morning|afternoon|evening)": .days(0),
    "tomorrow": .days(1), "tmrw": .days(1), "[the ]day after tomorrow": .days(2),
    "yesterday": .days(-1), "[the ]day before yesterday": .days(-2),
    "in {number} {unit}": .distance(1), "{number} {unit} from (now|today)": .distance(1),
    "{number} {unit} ago": .distance(-1),
    "[on ]{weekday}": .weekday, "[on ](this|next|coming) {weekday}": .coming(weeks: 0),
    "[on ]{weekday} (week|after next)": .coming(weeks: 1),
    "[on ]{weekday} in {number} (week|weeks)": .comingLater,
    "[in ]{number} (week|weeks) (from|on|after) {weekday}": .comingLater,
    "(last|past) {weekday}": .previous,
    "[on ]{weekday} next week": .inWeek(1), "next week[ on] {weekday}": .inWeek(1),
    "{weekday} last week": .inWeek(-1), "last week[ on] {weekday}": .inWeek(-1),
    "(this|on the|at the) weekend": .weekend,
    "next week": .first(.week, 1), "next month": .first(.month, 1), "next year": .first(.year, 1),
    "last week": .first(.week, -1), "last month": .first(.month, -1),
    "last year": .first(.year, -1),
    "[the |at the ]end of[ the| this] week": .last(.week, 0),
    "[the |at the ]end of[ the| this] month": .last(.month, 0),
    "[the |at the ]end of[ the| this] year": .last(.year, 0),
    "[the |at the ]end of next month": .last(.month, 1),
    "[the |at the ]end of next year": .last(.year, 1),
    "[the ]last day of[ the| this] month": .last(.month, 0),
    "[the ]last day of next month": .last(.month, 1),
    "[the ]last day of[ the| this] year": .last(.year, 0),
    "month end": .last(.month, 0), "year end": .last(.year, 0),
    "[the ](beginning|start) of {month}[ {year}]": .part(.beginning),
    "mid[-| |]{month}[ {year}]": .part(.middle), "[the ]middle of {month}[ {year}]": .part(.middle),
    "[the |at the ]end of {month}[ {year}]": .part(.end),
    "[on ][the ]{nth}": .nextDay, "[on ][the ]{nth} of next month": .inMonth(1),
    "[on ][the ]{day}[ |-| of ]{month}[ {year}|-{year}|{year}]": .date,
    "[on ]{month}[ ][the ]{day}[ {year}]": .date,
    "{day}[ of] {month} next year": .inYear(1), "{month} {day} next year": .inYear(1),
    "[on ][the ]{ordinal} {weekday} (of|in) {month}[ {year}]": .nth,
    "[on ][the ]{ordinal} {weekday} (of|in) (the|this) month": .nthInMonth(0),
    "[on ][the ]{ordinal} {weekday} (of|in) next month": .nthInMonth(1),
    "calendar week {week}[ {year}]": .week,
    "this week": .whole(.week, 0), "this month": .whole(.month, 0), "this year": .whole(.year, 0),
    "[in ]{month}[ {year}]": .wholeMonth,
  ]

  private static let looseDays: KeyValuePairs<String, DayMeaning> = [
    "now": .days(0), "tom": .days(1), "{number} {unit}": .distance(1), "weekend": .weekend,
    "week {week}[ {year}]": .week,
    "[on ](christmas|xmas)[ day]": .holiday(month: 12, day: 25),
    "[on ](christmas|xmas) eve": .holiday(month: 12, day: 24),
    "[the ]new year[s|'s][ day]": .holiday(month: 1, day: 1),
    "new year[s|'s] eve": .holiday(month: 12, day: 31),
  ]

  /// `12 pm` is noon, and `midnight` is the end of the day.
  private static let times: KeyValuePairs<String, TimeMeaning> = [
    "[at ]{hour}[:{minute}|.{minute}][ ](am|a.m)": .half(isAfternoon: false),
    "[at ]{hour}[:{minute}|.{minute}][ ](pm|p.m)": .half(isAfternoon: true),
    "[at ](noon|midday|12 noon)": .minutes(720), "[at ]midnight": .minutes(1440),
    "at {hour}:{minute}": .clock(), "[at ]{hour}[:{minute}] {period}": .clock(),
    "{period} at {hour}[:{minute}]": .clock(), "{period} {hour}:{minute}": .clock(),
  ]

  /// The ordinals `1st` to `31st`.
  private static let ordinals: [(String, Int)] = (1...31).map { number in
    let ending =
      switch (number / 10, number % 10) {
      case (1, _): "th"
      case (_, 1): "st"
      case (_, 2): "nd"
      case (_, 3): "rd"
      default: "th"
      }
    return ("\(number)\(ending)", number)
  }
}
