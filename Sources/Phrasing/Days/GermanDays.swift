/// Days and times in German.
///
/// `nächsten Freitag` means the next Friday, as do the other phrases for a Friday. Speakers disagree on whether it
/// means the Friday after that (blog.leo.org, "Wann genau ist nächsten Freitag?", 2013), whereas `Freitag nächster
/// Woche` is unambiguous. `Montag in einer Woche` counts the week from the next Monday (Atlas zur deutschen
/// Alltagssprache, round 12, question 4c). `KW` is a week of ISO 8601, and `24 Uhr` is the end of the day (ISO
/// 8601:2004, 4.2.3). The other phrases mean the same days as in Duckling (`Time/DE`) and Microsoft's Recognizers-Text
/// (`Specs/DateTime/German`), with which `DaySourceTests` compares them. `ae`, `oe`, `ue` and `ss` represent letters
/// that a keyboard lacks.
enum GermanDays {
  static let language = DayLanguage(
    "German",
    examples: [
      "heute", "heute Abend", "morgen", "übermorgen", "gestern", "vorgestern", "vor 2 Tagen",
      "Freitag", "Fr", "am Freitag", "nächsten Freitag", "Montag in einer Woche", "letzten Montag",
      "Freitag nächster Woche", "in 3 Tagen", "zwei Wochen", "in einem Monat", "nächste Woche",
      "nächsten Monat", "nächstes Jahr", "Wochenende", "Monatsende", "Jahresende", "Mitte Januar",
      "am 5.", "24. Dezember", "1. Januar 2027", "erster Montag im Dezember", "KW 49",
      "Weihnachten", "Neujahr", "17 Uhr", "17:30 Uhr", "mittags", "morgen um 17 Uhr",
      "nie", "keins",
    ],
    vocabulary: [
      .weekday: Vocabulary.list(
        "montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag sonnabend", "sonntag"),
      .abbreviation: Vocabulary.list("mo", "di", "mi", "do", "fr", "sa", "so"),
      .month: Vocabulary.list(
        "januar jänner jan jän", "februar feber feb", "märz mär mrz", "april apr", "mai",
        "juni jun", "juli jul", "august aug", "september sept sep", "oktober okt", "november nov",
        "dezember dez"),
      .unit: Vocabulary.list(
        "tag tage tagen", "woche wochen", "monat monate monaten", "jahr jahre jahren"),
      .span: [
        ("sekunde", 1), ("sekunden", 1), ("minute", 60), ("minuten", 60), ("min", 60),
        ("stunde", 3600), ("stunden", 3600), ("tag", 86_400), ("tagen", 86_400),
        ("woche", 604_800), ("wochen", 604_800),
      ],
      .number: Vocabulary.list(
        "ein eine einem einen einer", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht",
        "neun", "zehn", "elf", "zwölf"),
      .ordinal: Vocabulary.list(
        "erster ersten erste 1", "zweiter zweiten zweite 2", "dritter dritten dritte 3",
        "vierter vierten vierte 4", "letzter letzten letzte"),
      .period: [
        ("nachts", DayPeriod.night.rawValue), ("früh", DayPeriod.morning.rawValue),
        ("morgens", DayPeriod.morning.rawValue), ("vormittags", DayPeriod.morning.rawValue),
        ("vormittag", DayPeriod.morning.rawValue), ("mittags", DayPeriod.noon.rawValue),
        ("mittag", DayPeriod.noon.rawValue), ("nachmittags", DayPeriod.afternoon.rawValue),
        ("nachmittag", DayPeriod.afternoon.rawValue), ("abends", DayPeriod.evening.rawValue),
        ("abend", DayPeriod.evening.rawValue),
      ],
    ],
    days: days, looseDays: looseDays, times: times, agos: ["vor {number} {span}"],
    aheads: ["in {number} {span}"],
    others: [
      .never: ["nie", "niemals", "keins", "kein", "keine"], .someday: ["irgendwann", "später"],
      .now: ["jetzt"],
      .repeating: [
        "jeden", "jede", "jedes", "alle", "täglich", "wöchentlich", "monatlich", "jährlich",
        "werktags", "nach erledigung", "montags", "dienstags", "mittwochs", "donnerstags",
        "freitags", "samstags", "sonntags",
      ],
    ],
    spellings: ["ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"],
    // A letter may arrive as two scalars, but patterns contain it as one scalar.
    characters: ["ä": "ä", "ö": "ö", "ü": "ü"])

  private static let days: KeyValuePairs<String, DayMeaning> = [
    "heute[ abend| nacht| früh| morgen| vormittag| nachmittag]": .days(0), "morgen": .days(1),
    "übermorgen": .days(2), "gestern": .days(-1), "vorgestern": .days(-2),
    "[heute ]in {number} {unit}": .distance(1), "vor {number} {unit}": .distance(-1),
    "[am |bis ]{weekday}": .weekday,
    "[am |bis ](diesen|dieser|nächsten|nächster|kommenden|kommender) {weekday}": .coming(weeks: 0),
    "[am ](übernächsten|übernächster) {weekday}": .coming(weeks: 1),
    "[am ]{weekday} in {number} (woche|wochen)": .comingLater,
    "in {number} (woche|wochen)[ am] {weekday}": .comingLater,
    "[am ](letzten|letzter|vergangenen|vergangener|vorigen|voriger) {weekday}": .previous,
    "[am ]{weekday} (nächste|nächster|kommende|kommender) woche": .inWeek(1),
    "(nächste|kommende) woche[ am] {weekday}": .inWeek(1),
    "[am ]{weekday} (letzte|letzter|vorige|voriger) woche": .inWeek(-1),
    "(letzte|vorige) woche[ am] {weekday}": .inWeek(-1),
    "(am|dieses|übers|zum) wochenende": .weekend,
    "(nächste|kommende) woche": .first(.week, 1), "übernächste woche": .first(.week, 2),
    "(letzte|vorige) woche": .first(.week, -1),
    "(nächsten|nächster|kommenden) monat": .first(.month, 1),
    "(letzten|letzter|vorigen) monat": .first(.month, -1),
    "(nächstes|kommendes) jahr": .first(.year, 1),
    "(letztes|voriges) jahr": .first(.year, -1),
    "[am |zum |bis ]ende der woche": .last(.week, 0),
    "[am |zum |bis ](monatsende|ende des monats|ende monat)": .last(.month, 0),
    "[am |zum |bis ](jahresende|ende des jahres|ende jahr)": .last(.year, 0),
    "[am |bis ]ende (nächsten monats|des nächsten monats)": .last(.month, 1),
    "[am |bis ]ende (nächsten jahres|des nächsten jahres)": .last(.year, 1),
    "[am ](letzter|letzten) tag (des monats|im monat)": .last(.month, 0),
    "[am ](letzter|letzten) tag (des|im) nächsten (monats|monat)": .last(.month, 1),
    "[am ](letzter|letzten) tag des jahres": .last(.year, 0),
    "[bis ]anfang {month}[ {year}]": .part(.beginning),
    "[bis ]mitte {month}[ {year}]": .part(.middle), "[bis ]ende {month}[ {year}]": .part(.end),
    "(am|bis zum|zum|der|den) {day}": .nextDay,
    "[am |der |den ]{day} (nächsten monats|des nächsten monats)": .inMonth(1),
    "[am |der |den |bis zum |zum ]{day}[ |.]{month}[ {year}]": .date,
    "[am ]{day}[ |.]{month} (nächsten jahres|des nächsten jahres)": .inYear(1),
    "[am |der |den ]{ordinal} {weekday} (im|des) {month}[ {year}]": .nth,
    "[am |der |den ]{ordinal} {weekday} (im|des) (monat|monats)": .nthInMonth(0),
    "[am |der |den ]{ordinal} {weekday} (im nächsten monat|des nächsten monats)": .nthInMonth(1),
    "[in ][der ](kw|kalenderwoche)[ ]{week}[ {year}|/{year}]": .week,
    "{week} (kw|kalenderwoche)[ {year}]": .week,
    "[in ](diese|dieser) woche": .whole(.week, 0),
    "(diesen|dieser|in diesem) monat": .whole(.month, 0),
    "(dieses|in diesem) jahr": .whole(.year, 0), "[im ]{month}[ {year}]": .wholeMonth,
  ]

  private static let looseDays: KeyValuePairs<String, DayMeaning> = [
    "jetzt": .days(0), "[am ]{abbreviation}": .weekday,
    "{number} {unit}": .distance(1), "wochenende": .weekend,
    "woche {week}[ {year}]": .week,
    "[an |zu ]weihnachten": .holiday(month: 12, day: 25),
    "[an |am ](heiligabend|heiliger abend|heiligen abend)": .holiday(month: 12, day: 24),
    "[an |zu ]silvester": .holiday(month: 12, day: 31),
    "[an |zu ]neujahr": .holiday(month: 1, day: 1),
  ]

  private static let times: KeyValuePairs<String, TimeMeaning> = [
    "[{period} ][um ]{hour}[:{minute}|.{minute}] uhr[ {period}]": .clock(),
    "[{period} ][um ]{hour} uhr {minute}": .clock(),
    "{period} um {hour}[:{minute}]": .clock(), "um {hour}[:{minute}]": .clock(),
    "[am ](mittags|mittag)": .minutes(720), "[um ]mitternacht": .minutes(1440),
  ]
}
