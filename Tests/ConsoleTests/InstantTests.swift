import Console
import Phrasing
import Testing

struct InstantTests {
  @Test func `what no calendar has is told as a number`() {
    #expect(Instant.text(0) == "1970-01-01T00:00:00Z")
    #expect(Instant.text(.max) == "9223372036854775807")
    #expect(Instant.text(.min) == "-9223372036854775808")
  }
}
