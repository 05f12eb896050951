import Domain
import Interchange
import Testing

/// Dates of birth that are later than the import.
struct FutureBirthTests {
  @Test(arguments: [("2026-11-20", false), ("2026-11-21", true), ("2030-01-01", true)])
  func `Future birth: it is imported and reported`(day: String, isFuture: Bool) throws {
    var settings = ForeignSettings()
    settings.now = 1_795_176_000_000
    let date = try CivilDate.parse(day)
    let card = "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Fut\r\nBDAY:\(day)\r\nEND:VCARD\r\n"
    for (format, text) in [(FileFormat.vCard, card), (.csv, "First name,Birthday\nFut,\(day)\n")] {
      let file = try format.read(Array(text.utf8), settings)
      #expect(file.records.count == 1)
      #expect(file.remarks.map(\.note).contains(.futureBirth(date)) == isFuture)
    }
  }
}
