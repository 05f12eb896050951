import Platform

/// Measures a process that adds a to-do to a large book.
struct Adding {
  let large: LargeBook

  /// Returns the figures for `runs` commands, which follow ten commands that are not counted.
  func figures(_ scale: Scale, runs: Int) throws -> [Figure] {
    var (whole, working): ([Double], [Double]) = ([], [])
    for number in 0..<runs + 10 {
      let words = ["add", "todo", "Take out bin \(number)", "--due", "tomorrow"]
      whole.append(
        try milliseconds {
          working.append(try large.program.run(["-C", (large.folder / "book").string] + words))
        })
    }
    (whole, working) = (Array(whole.dropFirst(10)), Array(working.dropFirst(10)))
    let last = whole.sorted()[min(whole.count - 1, whole.count * 99 / 100)]
    return [
      Figure(scale.name("add"), Sample(whole), "ms", "a process that durably adds a to-do"),
      Figure(scale.name("add-p99"), last, "ms", "the 99th percentile of these"),
      Figure(scale.name("add-working"), Sample(working), "ms", "CPU time"),
    ]
  }
}
