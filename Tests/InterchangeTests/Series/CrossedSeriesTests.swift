import Domain
import Interchange
import Testing

/// Series in files that two books write before each reads the other's file.
struct CrossedSeriesTests {
  @Test(arguments: SeriesFileTests.formats)
  func `Series: after a simultaneous exchange, a later title is taken`(format: FileFormat) throws {
    var one = try ForeignBook.ofBins(#""due":"2026-11-23","repeat":"FREQ=WEEKLY""#)
    var two = ForeignBook(number: 2)
    try two.take(try one.written(format), format)
    try one.set("Bins", #""priority":"high""#)
    // The position that the file states is that of the occurrence.
    try one.occur("Bins", "2026-11-23", #""done":true,"closedOn":"2026-11-24""#)
    try two.set("Bins", #""title":"Barrels""#)
    let files = (try one.written(format), try two.written(format))
    try one.take(files.1, format)
    try two.take(files.0, format)
    #expect(one.shown == two.shown)
    try two.set("Barrels", #""title":"Boxes""#)
    try one.take(try two.written(format), format)
    #expect(one.todo("Boxes") != nil)
    #expect(one.shown == two.shown)
    #expect([one.disputes, two.disputes] == [[], []])
  }
}
