import Domain
import Phrasing
import Testing

/// Days in the forms of each language, on Thursday, 26 November 2026.
struct DayPhraseTests {
  private let words: DayWords

  init() throws { words = DayWords(today: try CivilDate(year: 2026, month: 11, day: 26)) }

  @Test(arguments: [
    ("tonight", "2026-11-26"), ("now", "2026-11-26"), ("tom", "2026-11-27"),
    ("tmrw", "2026-11-27"), ("day after tomorrow", "2026-11-28"), ("2 days ago", "2026-11-24"),
    ("in 3 days", "2026-11-29"), ("3 days", "2026-11-29"), ("two weeks", "2026-12-10"),
    ("a month", "2026-12-26"), ("2 weeks from now", "2026-12-10"), ("on friday", "2026-11-27"),
    ("this friday", "2026-11-27"), ("next friday", "2026-11-27"), ("thursday", "2026-12-03"),
    ("monday week", "2026-12-07"), ("last monday", "2026-11-23"), ("last thursday", "2026-11-19"),
    ("friday next week", "2026-12-04"), ("next week", "2026-11-30"), ("next month", "2026-12-01"),
    ("next year", "2027-01-01"), ("weekend", "2026-11-28"), ("this weekend", "2026-11-28"),
    ("end of month", "2026-11-30"), ("end of year", "2026-12-31"), ("mid january", "2027-01-15"),
    ("end of february", "2027-02-28"), ("the 5th", "2026-12-05"), ("5th", "2026-12-05"),
    ("1st of january", "2027-01-01"), ("26nov", "2026-11-26"), ("26nov2027", "2027-11-26"),
    ("first monday of december", "2026-12-07"), ("last friday of november", "2026-11-27"),
    ("first monday in november", "2027-11-01"), ("christmas", "2026-12-25"),
    ("new year", "2027-01-01"), ("New Year’s Eve", "2026-12-31"), ("Friday.", "2026-11-27"),
    ("24 Dec., 2026.", "2026-12-24"),
  ])
  func `Dates in English: each form is read`(said: String, day: String) throws {
    #expect(try words.dayToCome(said).iso == day)
  }

  @Test(arguments: [
    ("heute", "2026-11-26"), ("heute Abend", "2026-11-26"), ("morgen", "2026-11-27"),
    ("übermorgen", "2026-11-28"), ("uebermorgen", "2026-11-28"),
    ("u\u{308}bermorgen", "2026-11-28"),
    ("vor 2 Tagen", "2026-11-24"), ("vorgestern", "2026-11-24"), ("in 3 Tagen", "2026-11-29"),
    ("zwei Wochen", "2026-12-10"), ("in zwei Wochen", "2026-12-10"), ("einem Monat", "2026-12-26"),
    ("in einem Monat", "2026-12-26"), ("Freitag", "2026-11-27"), ("am Freitag", "2026-11-27"),
    ("nächsten Freitag", "2026-11-27"), ("am nächsten Freitag", "2026-11-27"),
    ("Fr", "2026-11-27"), ("Fr.", "2026-11-27"), ("Montag in einer Woche", "2026-12-07"),
    ("letzten Montag", "2026-11-23"), ("Freitag nächster Woche", "2026-12-04"),
    ("nächste Woche", "2026-11-30"), ("nächsten Monat", "2026-12-01"),
    ("nächstes Jahr", "2027-01-01"), ("Wochenende", "2026-11-28"), ("Monatsende", "2026-11-30"),
    ("Jahresende", "2026-12-31"), ("Mitte Januar", "2027-01-15"), ("1. Januar", "2027-01-01"),
    ("24. Dezember 2027", "2027-12-24"), ("am 5.", "2026-12-05"),
    ("erster Montag im Dezember", "2026-12-07"), ("1. Montag im Dezember", "2026-12-07"),
    ("KW 49", "2026-11-30"), ("KW49", "2026-11-30"), ("Weihnachten", "2026-12-25"),
    ("Neujahr", "2027-01-01"),
  ])
  func `Dates in German: each form is read`(said: String, day: String) throws {
    #expect(try words.dayToCome(said).iso == day)
  }

  @Test(arguments: [
    ("今天", "2026-11-26"), ("今晚", "2026-11-26"), ("明天", "2026-11-27"), ("后天", "2026-11-28"),
    ("後天", "2026-11-28"), ("2天前", "2026-11-24"), ("前天", "2026-11-24"), ("3天后", "2026-11-29"),
    ("两周后", "2026-12-10"), ("兩週後", "2026-12-10"), ("一个月后", "2026-12-26"), ("周五", "2026-11-27"),
    ("星期五", "2026-11-27"), ("下下周一", "2026-12-07"), ("下周五", "2026-12-04"),
    ("下個星期五", "2026-12-04"), ("上周一", "2026-11-16"), ("这周一", "2026-11-23"), ("下周", "2026-11-30"),
    ("下个月", "2026-12-01"), ("明年", "2027-01-01"), ("周末", "2026-11-28"), ("月底", "2026-11-30"),
    ("年底", "2026-12-31"), ("一月中旬", "2027-01-15"), ("12月24日", "2026-12-24"),
    ("12 月 24 日", "2026-12-24"), ("十二月二十四日", "2026-12-24"), ("24号", "2026-12-24"),
    ("下个月5号", "2026-12-05"), ("2026年12月24日", "2026-12-24"), ("12月第一个周一", "2026-12-07"),
    ("12月最后一个周五", "2026-12-25"), ("第49周", "2026-11-30"), ("圣诞节", "2026-12-25"),
    ("元旦", "2027-01-01"),
  ])
  func `Dates in Chinese: each form is read`(said: String, day: String) throws {
    #expect(try words.dayToCome(said).iso == day)
  }

  @Test(arguments: [
    ("W49", "2026-11-30"), ("2026-W49-1", "2026-11-30"), ("2026-W49-5", "2026-12-04"),
    ("W48", "2026-11-23"), ("W47", "2027-11-22"), ("2026-W53", "2026-12-28"),
    ("W53", "2026-12-28"), ("2026-330", "2026-11-26"), ("2028-366", "2028-12-31"),
    ("24/12/2026", "2026-12-24"),
  ])
  func `Dates in numbers: weeks and days of a year are those of ISO 8601`(
    said: String, day: String
  ) throws {
    #expect(try words.dayToCome(said).iso == day)
  }

  @Test(arguments: [
    ("2026-11-28", "weekend", "2026-11-28"), ("2026-11-29", "weekend", "2026-11-29"),
    ("2026-11-30", "weekend", "2026-12-05"), ("2026-11-29", "下周一", "2026-11-30"),
    ("2026-11-30", "下周一", "2026-12-07"), ("2027-01-01", "W53", "2026-12-28"),
    ("2026-12-31", "next month", "2027-01-01"), ("2027-01-15", "mid january", "2027-01-15"),
    ("2027-01-16", "Mitte Januar", "2028-01-15"), ("2028-02-01", "Ende Februar", "2028-02-29"),
    ("2026-12-26", "christmas", "2027-12-25"), ("2026-11-27", "friday", "2026-12-04"),
  ])
  func `Dates: a phrase is read from any day`(today: String, said: String, day: String) throws {
    #expect(try DayWords(today: try CivilDate.parse(today)).dayToCome(said).iso == day)
  }

  @Test func `Dates: every form in the manual is read`() throws {
    for (language, phrases) in DayLanguages.examples {
      for phrase in phrases where !DayWords.isNever(phrase) {
        #expect(throws: Never.self, "\(language): \(phrase)") {
          _ = try words.dayAndTime(phrase, now: 0)
        }
      }
    }
  }

  @Test(arguments: ["never", "None", "nie", "keins", "无", "無"])
  func `Dates: a word that means no date is known`(said: String) {
    #expect(DayWords.isNever(said) && !DayWords.isNever("\(said) 1"))
  }

  @Test(arguments: ["now", "never", "tom", "two weeks", "so", "Fr", "christmas", "week 12", "周末"])
  func `Dates: words with another meaning are not taken out of a title`(said: String) {
    let title = DayWords(today: words.today, isInTitle: true)
    #expect(throws: DayFault.self) { try title.date(said) }
  }
}
