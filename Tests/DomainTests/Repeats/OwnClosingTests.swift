import Domain
import Testing

/// A closing that was written to the series itself.
struct OwnClosingTests {
  private func closing(
    _ kind: Series.Closing.Kind?, _ stored: [Series.Occurrence] = []
  ) throws -> SeriesState.OwnClosing? {
    let own = kind.map { Series.Closing($0, on: nil) }
    let series = try SeriesStateTests.series("FREQ=WEEKLY", "2026-11-23", closing: own)
    return SeriesState(series, stored).ownClosing
  }

  @Test func `Own closing: it closes the first slot if no occurrence has the slot`() throws {
    let due = try SeriesStateTests.day("2026-11-23")
    let later = try SeriesStateTests.occurrence("2026-11-30", done: "2026-11-30")
    for kind in [Series.Closing.Kind.done, .skipped] {
      let expected = SeriesState.OwnClosing(kind: kind, due: due, openKeys: [])
      #expect(try closing(kind) == expected)
      #expect(try closing(kind, [later]) == expected)
      #expect(expected.hasEffect)
    }
    #expect(try closing(nil) == nil)
  }

  @Test func `Own closing: it has no effect on a first slot that is stored as open`() throws {
    let moved = try SeriesStateTests.occurrence("2026-11-23", due: "2026-12-24")
    let expected = SeriesState.OwnClosing(
      kind: .done, due: try SeriesStateTests.day("2026-12-24"), openKeys: [moved.key])
    #expect(try closing(.done, [moved]) == expected)
    #expect(!expected.hasEffect)
    #expect(try closing(nil, [moved]) == nil)
  }

  @Test func `Own closing: an occurrence that closes the first slot takes its place`() throws {
    let done = try SeriesStateTests.occurrence("2026-11-23", done: "2026-11-24")
    #expect(try closing(.done, [done]) == nil)
    #expect(try closing(.skipped, [done]) == nil)
  }
}
