import Testing

@testable import S3

struct UTCTimeTests {
  @Test(
    arguments: [
      (0, "19700101T000000Z"), (951_782_399_000, "20000228T235959Z"),
      (951_868_799_999, "20000229T235959Z"), (951_868_800_000, "20000301T000000Z"),
      (1_706_659_200_000, "20240131T000000Z"), (-1, "19691231T235959Z"),
      (1_735_689_599_000, "20241231T235959Z"),
    ] as [(Int64, String)])
  func `UTC time: it is spelled as signatures need it`(time: Int64, text: String) {
    #expect(UTCTime.compact(time) == text)
  }

  @Test(
    arguments: [
      ("2009-10-12T17:50:30.000Z", 1_255_369_830_000), ("2009-10-12T17:50:30Z", 1_255_369_830_000),
      ("2009-10-12T17:50:30.12Z", 1_255_369_830_120),
      ("2009-10-12T17:50:30.123456789Z", 1_255_369_830_123), ("2009-10-12", nil),
      ("2009-13-12T17:50:30Z", nil), ("2009-02-29T17:50:30Z", nil), ("2009-10-12T24:50:30Z", nil),
      ("2009-10-12T17:50:30+01:00", nil), ("2009-10-12T17:50:30.Z", nil), ("", nil),
    ] as [(String, Int64?)])
  func `UTC time: times of listings are read`(text: String, time: Int64?) {
    #expect(UTCTime.parse(text) == time)
  }

  @Test(
    arguments: [
      ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777_000), ("Sun, 06 Nov 1994 08:49:37 UTC", nil),
      ("Sunday, 06-Nov-94 08:49:37 GMT", nil), ("Sun, 31 Nov 1994 08:49:37 GMT", nil),
    ] as [(String, Int64?)])
  func `UTC time: dates of HTTP are read`(text: String, time: Int64?) {
    #expect(UTCTime.parseHTTPDate(text) == time)
  }
}
