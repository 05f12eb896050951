import Testing

@testable import Domain

struct TimeOfDayTests {
  @Test(
    "TimeOfDay: a clock time is read to the minute and written with two digits each",
    arguments: [
      ("00:00", 0, "00:00"), ("7:05", 425, "07:05"), ("17:00", 1020, "17:00"),
      ("23:59", 1439, "23:59"),
    ])
  func readsTimes(words: String, minute: Int64, text: String) {
    #expect(TimeOfDay(text: words)?.minute == minute)
    #expect(TimeOfDay(minute: minute)?.text == text)
  }

  @Test(
    "TimeOfDay: anything but a clock time is refused",
    arguments: [
      "", ":", "24:00", "12:60", "12", "12:5", "012:00", "1:2:3", "-1:00", "１2:00", " 9:00",
    ])
  func refusesOthers(words: String) {
    #expect(TimeOfDay(text: words) == nil)
  }

  @Test("TimeOfDay: a minute outside the day is refused", arguments: [-1, 1440, Int64.max])
  func refusesMinutes(minute: Int64) {
    #expect(TimeOfDay(minute: minute) == nil)
  }
}
