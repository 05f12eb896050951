import Domain
import Phrasing
import Testing

/// German and Chinese phrases, with the days that the tests of other programs expect them to mean.
///
/// Those said on 2013-02-12, a Tuesday, are among the examples of Duckling (`Duckling/Time/DE/Corpus.hs` and
/// `ZH/Corpus.hs`); the others are among the examples of Recognizers-Text (`Specs/DateTime/German` and `Chinese`). A
/// week, month or year stands for its first day, the end of a month for its last day, and a weekend for its Saturday.
///
/// `kommende Woche` is omitted, because Duckling takes it for the current week, and so are 下周三 and 这周一, which it takes
/// for the next such days. Here, as in Recognizers-Text, 下 and 这 choose the week.
struct DaySourceTests {
  private func day(_ said: String, on today: String) throws -> String {
    try DayWords(today: try CivilDate.parse(today)).dayToCome(said).iso
  }

  @Test(arguments: [
    ("heute", "2013-02-12", "2013-02-12"),
    ("gestern", "2013-02-12", "2013-02-11"),
    ("morgen", "2013-02-12", "2013-02-13"),
    ("übermorgen", "2013-02-12", "2013-02-14"),
    ("vorgestern", "2013-02-12", "2013-02-10"),
    ("montag", "2013-02-12", "2013-02-18"),
    ("dienstag", "2013-02-12", "2013-02-19"),
    ("fr.", "2013-02-12", "2013-02-15"),
    ("nächsten dienstag", "2013-02-12", "2013-02-19"),
    ("nächsten mittwoch", "2013-02-12", "2013-02-13"),
    ("übernächsten freitag", "2013-02-12", "2013-02-22"),
    ("letzten sonntag", "2013-02-12", "2013-02-10"),
    ("letzten dienstag", "2013-02-12", "2013-02-05"),
    ("mittwoch nächste woche", "2013-02-12", "2013-02-20"),
    ("sonntag letzte woche", "2013-02-12", "2013-02-10"),
    ("letzte woche", "2013-02-12", "2013-02-04"),
    ("nächste woche", "2013-02-12", "2013-02-18"),
    ("letzten monat", "2013-02-12", "2013-01-01"),
    ("nächsten monat", "2013-02-12", "2013-03-01"),
    ("letztes jahr", "2013-02-12", "2012-01-01"),
    ("nächstes jahr", "2013-02-12", "2014-01-01"),
    ("1 märz", "2013-02-12", "2013-03-01"),
    ("15. februar", "2013-02-12", "2013-02-15"),
    ("3. Oktober", "2013-02-12", "2013-10-03"),
    ("erster dienstag im oktober", "2013-02-12", "2013-10-01"),
    ("letzter montag im märz", "2013-02-12", "2013-03-25"),
    ("dritter dienstag im september 2014", "2013-02-12", "2014-09-16"),
    ("in 7 tagen", "2013-02-12", "2013-02-19"),
    ("in einer woche", "2013-02-12", "2013-02-19"),
    ("vor 7 tagen", "2013-02-12", "2013-02-05"),
    ("vor zwei wochen", "2013-02-12", "2013-01-29"),
    ("vor drei monaten", "2013-02-12", "2012-11-12"),
    ("Weihnachten", "2013-02-12", "2013-12-25"),
    ("Silvester", "2013-02-12", "2013-12-31"),
    ("Neujahr", "2013-02-12", "2014-01-01"),
    ("dieses Wochenende", "2016-11-07", "2016-11-12"),
    ("letzten Freitag", "2016-11-07", "2016-11-04"),
    ("nächsten Montag", "2016-11-07", "2016-11-14"),
    ("nächstes Jahr", "2016-11-07", "2017-01-01"),
    ("nächste Woche Montag", "2017-12-04", "2017-12-11"),
    ("in drei Wochen", "2019-08-12", "2019-09-02"),
    ("Ende des Monats", "2020-04-30", "2020-04-30"),
    ("übernächste Woche", "2020-07-29", "2020-08-10"),
    ("letzten Freitag", "2018-12-09", "2018-12-07"),
    ("28.10.", "2019-12-02", "2020-10-28"),
  ])
  func `Dates in German: phrases mean the same days as in other programs`(
    said: String, today: String, expected: String
  ) throws {
    #expect(try day(said, on: today) == expected)
  }

  @Test(arguments: [
    ("今天", "2013-02-12", "2013-02-12"),
    ("昨天", "2013-02-12", "2013-02-11"),
    ("明天", "2013-02-12", "2013-02-13"),
    ("后天", "2013-02-12", "2013-02-14"),
    ("前天", "2013-02-12", "2013-02-10"),
    ("星期一", "2013-02-12", "2013-02-18"),
    ("周二", "2013-02-12", "2013-02-19"),
    ("礼拜五", "2013-02-12", "2013-02-15"),
    ("上周日", "2013-02-12", "2013-02-10"),
    ("上周二", "2013-02-12", "2013-02-05"),
    ("下周二", "2013-02-12", "2013-02-19"),
    ("这周二", "2013-02-12", "2013-02-12"),
    ("上周", "2013-02-12", "2013-02-04"),
    ("下周", "2013-02-12", "2013-02-18"),
    ("上个月", "2013-02-12", "2013-01-01"),
    ("下个月", "2013-02-12", "2013-03-01"),
    ("去年", "2013-02-12", "2012-01-01"),
    ("明年", "2013-02-12", "2014-01-01"),
    ("三月一号", "2013-02-12", "2013-03-01"),
    ("2月15号", "2013-02-12", "2013-02-15"),
    ("2015年三月3号", "2013-02-12", "2015-03-03"),
    ("十月第一个星期一", "2013-02-12", "2013-10-07"),
    ("圣诞节", "2013-02-12", "2013-12-25"),
    ("元旦", "2013-02-12", "2014-01-01"),
    ("上周一", "2017-03-22", "2017-03-13"),
    ("大后天", "2017-03-22", "2017-03-25"),
    ("12号", "2017-03-22", "2017-04-12"),
    ("1月19号", "2017-03-22", "2018-01-19"),
    ("下下周", "2017-03-22", "2017-04-03"),
    ("元旦节", "2017-03-22", "2018-01-01"),
    ("下下周日", "2024-11-15", "2024-12-01"),
    ("上周四", "2019-07-30", "2019-07-25"),
    ("5天前", "2018-08-30", "2018-08-25"),
  ])
  func `Dates in Chinese: phrases mean the same days as in other programs`(
    said: String, today: String, expected: String
  ) throws {
    #expect(try day(said, on: today) == expected)
  }
}
