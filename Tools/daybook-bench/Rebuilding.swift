import Daybook
import Platform
import ReadModel

/// How long it takes to fold a whole book, by a process that has not looked at it before.
struct Rebuilding {
  let large: LargeBook

  /// Thousands of events in a second, folded in memory.
  func fold(runs: Int) throws -> Rate {
    try rate(runs) { book in _ = try book.records() }
  }

  /// Thousands of events in a second, folded and written to the read model with all that is searched.
  func view(runs: Int) throws -> Rate {
    try rate(runs) { book in try book.rebuild() }
  }

  /// How quick something is, and for how many milliseconds the processor works at it.
  struct Rate {
    let thousands: Double
    let working: Double
  }

  private func rate(_ runs: Int, _ work: (Book) throws -> Void) throws -> Rate {
    var (times, working): ([Double], [Double]) = ([], [])
    for _ in 0..<runs {
      let book = try Book(at: large.folder / "book", on: large.machine)
      times.append(try milliseconds { working.append(try workingMilliseconds { try work(book) }) })
    }
    return Rate(thousands: Double(large.eventCount) / median(times), working: median(working))
  }
}
