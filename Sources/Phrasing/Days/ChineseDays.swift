/// Days and times in Chinese, in simplified or traditional characters.
///
/// Weeks begin on Monday (GB/T 7408.1, which adopts ISO 8601). 上, 这 and 下 before a weekday choose the week rather than
/// the nearest such day. On a Thursday, 下周五 is the Friday of the following week, and 上周一 is the Monday of the previous
/// week. Microsoft's Recognizers-Text resolves these phrases in the same way (BaseCJKDateParser, `MatchNextWeekday`).
/// 中旬 is the 11th to the 20th, as 五月中 is in Duckling (`Time/ZH`); it is represented by the 15th. 晚上12点 is the midnight
/// that ends the day, and 凌晨 means the hours after it. `DaySourceTests` compares the other phrases with these two
/// programs.
enum ChineseDays {
  static let language = DayLanguage(
    "Chinese",
    examples: [
      "今天", "今晚", "明天", "后天", "昨天", "前天", "2天前", "3天后", "两周后", "一个月后", "周五", "星期五", "这周五",
      "下周五", "下下周一", "上周一", "下周", "下个月", "明年", "周末", "月底", "年底", "一月中旬", "24号", "下个月5号",
      "12月24日", "2026年12月24日", "12月第一个周一", "第49周", "圣诞节", "元旦", "17:00", "下午5点", "晚上8点半",
      "明天下午5点", "无",
    ],
    vocabulary: [
      .weekday: weekdays, .month: months,
      .unit: Vocabulary.list("天 日", "周 星期 礼拜 个星期 个礼拜", "个月", "年"),
      .span: [
        ("秒", 1), ("秒钟", 1), ("分钟", 60), ("小时", 3600), ("个小时", 3600), ("天", 86_400),
        ("周", 604_800), ("个星期", 604_800), ("星期", 604_800),
      ],
      .number: numerals, .day: Array(numerals.filter { $0.1 <= 31 }),
      .week: Array(numerals.filter { $0.1 <= 53 }),
      .hour: [("零", 0)] + numerals.filter { $0.1 <= 24 },
      .minute: numerals.filter { $0.1 <= 59 }.flatMap { [$0, ("零\($0.0)", $0.1)] },
      .ordinal: Vocabulary.list("第一 第1", "第二 第2", "第三 第3", "第四 第4", "最后一"),
      .period: [
        ("凌晨", DayPeriod.night.rawValue), ("清晨", DayPeriod.morning.rawValue),
        ("早上", DayPeriod.morning.rawValue), ("早晨", DayPeriod.morning.rawValue),
        ("上午", DayPeriod.morning.rawValue), ("中午", DayPeriod.noon.rawValue),
        ("下午", DayPeriod.afternoon.rawValue), ("傍晚", DayPeriod.afternoon.rawValue),
        ("晚上", DayPeriod.evening.rawValue), ("夜里", DayPeriod.evening.rawValue),
      ],
    ],
    days: days, looseDays: looseDays, times: times, agos: ["{number}{span}(前|以前|之前)"],
    aheads: ["{number}{span}(后|以后|之后)"],
    others: [
      .never: ["无", "没有"], .someday: ["以后", "改天"], .now: ["现在"], .repeating: ["每", "完成后"],
    ],
    rewrites: [
      ("今晚上", "今天晚上"), ("明晚上", "明天晚上"), ("昨晚上", "昨天晚上"), ("今晚", "今天晚上"), ("明晚", "明天晚上"),
      ("昨晚", "昨天晚上"), ("今早上", "今天早上"), ("明早上", "明天早上"), ("今早", "今天早上"), ("明早", "明天早上"),
    ],
    characters: [
      "週": "周", "後": "后", "兩": "两", "個": "个", "點": "点", "無": "无", "沒": "没", "聖": "圣", "誕": "诞",
      "節": "节", "號": "号", "這": "这", "禮": "礼", "鐘": "钟", "時": "时", "過": "过", "現": "现", "裡": "里",
      "裏": "里", "。": ".", "、": ",",
    ])

  private static let days: KeyValuePairs<String, DayMeaning> = [
    "(今天|今日)[晚上]": .days(0), "(明天|明日)": .days(1), "后天": .days(2), "大后天": .days(3),
    "(昨天|昨日)": .days(-1), "前天": .days(-2), "大前天": .days(-3),
    "{number}{unit}(后|以后|之后)": .distance(1), "[再]过{number}{unit}": .distance(1),
    "{number}{unit}(前|以前|之前)": .distance(-1),
    "{weekday}": .weekday, "(这|本)[个]{weekday}": .inWeek(0), "下[个]{weekday}": .inWeek(1),
    "下下[个]{weekday}": .inWeek(2), "上[个]{weekday}": .inWeek(-1), "上上[个]{weekday}": .inWeek(-2),
    "(这|本)[个]周末": .weekend,
    "下[个](周|星期|礼拜)": .first(.week, 1), "下下[个](周|星期|礼拜)": .first(.week, 2),
    "上[个](周|星期|礼拜)": .first(.week, -1), "下[个]月": .first(.month, 1),
    "下下[个]月": .first(.month, 2), "上[个]月": .first(.month, -1), "明年": .first(.year, 1),
    "后年": .first(.year, 2), "去年": .first(.year, -1),
    "[本|这个|这](月底|月末)": .last(.month, 0), "下[个](月底|月末)": .last(.month, 1),
    "[今年](年底|年末)": .last(.year, 0), "(明年底|明年年底|明年末|明年年末)": .last(.year, 1),
    "[{year}年]{month}初": .part(.beginning), "[{year}年]{month}(中旬|中)": .part(.middle),
    "[{year}年]{month}(底|末)": .part(.end),
    "{day}(号|日)": .nextDay, "(本|这个|这)月{day}(号|日)": .inMonth(0), "下[个]月{day}(号|日)": .inMonth(1),
    "[{year}年]{month}{day}[日|号]": .date, "今年{month}{day}[日|号]": .inYear(0),
    "明年{month}{day}[日|号]": .inYear(1),
    "[{year}年]{month}[的]{ordinal}[个]{weekday}": .nth,
    "(本|这个|这)月[的]{ordinal}[个]{weekday}": .nthInMonth(0),
    "下[个]月[的]{ordinal}[个]{weekday}": .nthInMonth(1),
    "[今年|{year}年]第{week}[个](周|星期)": .week,
    "(这|本)[个](周|星期|礼拜)": .whole(.week, 0), "(本月|这月|这个月)": .whole(.month, 0),
    "今年": .whole(.year, 0), "[{year}年]{month}": .wholeMonth,
  ]

  private static let looseDays: KeyValuePairs<String, DayMeaning> = [
    "现在": .days(0), "周末": .weekend, "(圣诞节|圣诞)": .holiday(month: 12, day: 25),
    "平安夜": .holiday(month: 12, day: 24), "(元旦|元旦节)": .holiday(month: 1, day: 1),
  ]

  private static let times: KeyValuePairs<String, TimeMeaning> = [
    "[{period}]{hour}(点|时)[钟|整]": .clock(), "[{period}]{hour}(点|时)[过]{minute}[分]": .clock(),
    "[{period}]{hour}点半": .clock(minute: 30), "[{period}]{hour}点一刻": .clock(minute: 15),
    "[{period}]{hour}点三刻": .clock(minute: 45), "{period}{hour}:{minute}": .clock(),
    "(中午|正午)": .minutes(720), "(午夜|半夜)": .minutes(1440),
  ]

  private static let weekdays: [(String, Int)] = ["周", "星期", "礼拜"].flatMap { week in
    "一二三四五六日天".enumerated().map { place, day in ("\(week)\(day)", min(place + 1, 7)) }
  }

  private static let months: [(String, Int)] =
    numerals.filter { $0.1 <= 12 && $0.0 != "两" }.flatMap { word, month in
      [("\(word)月", month), ("\(month)月", month)] + (month < 10 ? [("0\(month)月", month)] : [])
    }

  /// The numerals 一 to 九十九, and 两.
  private static let numerals: [(String, Int)] = {
    let digits = Array("一二三四五六七八九")
    var numerals = digits.enumerated().map { (String($1), $0 + 1) } + [("两", 2)]
    for tens in 1...9 {
      let ten = (tens == 1 ? "" : String(digits[tens - 1])) + "十"
      numerals.append((ten, tens * 10))
      for ones in 1...9 { numerals.append((ten + String(digits[ones - 1]), tens * 10 + ones)) }
    }
    return numerals
  }()
}
