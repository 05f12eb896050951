import Platform

/// A measurement that produces figures.
struct Benchmark: Sendable {
  let name: String
  /// Whether the measurement uses a million operations, which takes minutes, rather than a hundred thousand.
  let isLarge: Bool
  /// Measures with the workloads and books of a stock, in the stock's folder.
  let measure: @Sendable (Stock) throws -> [Figure]

  init(
    _ name: String, isLarge: Bool = false,
    measure: @escaping @Sendable (Stock) throws -> [Figure]
  ) {
    (self.name, self.isLarge, self.measure) = (name, isLarge, measure)
  }

  /// All benchmarks, in the order in which they run; those that add events to the book of the stock come last.
  static let all =
    [appending, bulk, sizes, commands, applying, merging, syncing]
    + ofWholeBooks(.usual) + [largeBulk, largeSize] + ofWholeBooks(.large)

  private static func ofWholeBooks(_ scale: Scale) -> [Benchmark] {
    let isLarge = scale == .large
    return [
      Benchmark(scale.name("rebuild"), isLarge: isLarge) { stock in
        try Alone.fold.figures("rebuild", of: stock, scale, "folded in memory")
      },
      Benchmark(scale.name("view"), isLarge: isLarge) { stock in
        try Alone.view.figures("view", of: stock, scale, "into the read model, search included")
      },
      Benchmark(scale.name("verify"), isLarge: isLarge) { stock in
        try Alone.verify.figures("verify", of: stock, scale, "each hash, salt and head checked")
      },
      Benchmark(scale.name("list"), isLarge: isLarge) { stock in
        let listing = try stock.book(scale).listing()
        return [
          Figure(scale.name("list"), listing.whole, "ms", "a process that lists 50 to-dos"),
          Figure(scale.name("list-working"), listing.working, "ms", "CPU time"),
        ]
      },
      Benchmark(scale.name("add"), isLarge: isLarge) { stock in
        try Adding(large: stock.book(scale)).figures(scale, runs: 300)
      },
    ]
  }
}

extension Benchmark {
  private static let appending = Benchmark("append") { stock in
    let turns = try Turns.append(in: stock.folder)
    return [
      Figure("append", turns.perSecond, "commits/s", "durable, one after the other"),
      Figure("append-ratio", turns.ratio, "%", "of the speed of plain writes and flushes"),
    ]
  }

  private static let bulk = Benchmark("append-bulk") { stock in
    let bulk = Bulk(stock: stock, scale: .usual)
    return [
      Figure("append-bulk", try bulk.append(), "events/s", "packed, signed and durable, one call"),
      Figure("append-bulk-import", try bulk.importing(), "events/s", "from text to the read model"),
    ]
  }

  private static let largeBulk = Benchmark("append-bulk-large", isLarge: true) { stock in
    let rate = try Bulk(stock: stock, scale: .large).append()
    let taken = stock.importing[.large] ?? 0
    let events = Double(stock.workload(.large).count)
    return [
      Figure("append-bulk-large", rate, "events/s", "packed, signed and durable, one call"),
      Figure(
        "append-bulk-import-large", events * 1_000 / taken, "events/s",
        "from text to the read model"),
    ]
  }

  private static let sizes = Benchmark("size") { stock in
    let workload = stock.workload()
    let plain = try Size.bytesPerEvent(of: workload, keepsUIDs: false, in: stock.folder)
    let withUIDs = try Size.bytesPerEvent(of: workload, keepsUIDs: true, in: stock.folder)
    let commits = try Size.commits(in: stock.folder)
    return [
      Figure("size", plain, "B/event", "sealed, all history with times"),
      Figure("size-uids", withUIDs, "B/event", "the same with uids"),
      Figure(
        "size-commit", commits.largest, "B", "an event of 20 bytes, at most, before it is sealed"),
      Figure("size-unsealed", commits.unsealed, "B", "the largest unsealed tail"),
    ]
  }

  private static let largeSize = Benchmark("size-large", isLarge: true) { stock in
    let size = try stock.book(.large).bytesPerOperation(of: stock.workload(.large))
    return [Figure("size-large", size, "B/event", "sealed, with times and uids")]
  }

  private static let commands = Benchmark("commands") { stock in
    let commands = try Commands(of: stock.workload(), in: stock.folder)
    let times = try commands.measure(turns: 100)
    try commands.remove()
    return Deed.allCases.compactMap { deed in
      times.own[deed].map { Figure("command-\(deed)", $0, "ms", deed.meaning) }
    }
      + (times.others ?? [:]).sorted { $0.key.rawValue < $1.key.rawValue }.map { deed, time in
        Figure("taskwarrior-\(deed)", time, "ms", "the same in Taskwarrior with as many tasks")
      }
  }

  private static let applying = Benchmark("apply") { stock in
    let large = try LargeBook(of: stock.workload(), in: stock.folder)
    var other = try OtherDevice(of: large)
    var chance = Chance()
    func turns(_ measure: () throws -> Double) throws -> Sample {
      let times = try (0...31).map { _ in
        try other.write(100, &chance)
        return try measure()
      }
      return Sample(Array(times.dropFirst()))
    }
    let applying = try turns(other.apply)
    let syncing = try turns { try other.sync(by: large.folder / "bundle") }
    try large.remove()
    return [
      Figure("apply", applying, "ms", "100 events of another device"),
      Figure("apply-sync", syncing, "ms", "the same by a bundle, with a receipt"),
    ]
  }

  private static let merging = Benchmark("merge") { stock in
    var merge = try Merge(of: stock.workload(), in: stock.folder)
    let warm = try merge.warm(turns: 11)
    let cold = try merge.cold(turns: 11)
    try merge.remove()
    return [
      Figure("merge-warm", warm.held, "ms", "100 and 100 events, connected, until durable"),
      Figure("merge-shown", warm.shown, "ms", "until both show them"),
      Figure("merge-bytes", warm.bytes, "B", "sent for that in both directions"),
      Figure("merge-cold", cold, "ms", "a process that syncs 100 and 100 events"),
    ]
  }

  private static let syncing = Benchmark("sync") { stock in
    let syncing = try FullSync(of: stock.workload(), in: stock.folder, devices: 5)
    let parts = try syncing.run()
    try syncing.remove()
    return [
      Figure("sync", Sample(parts.map(\.whole)), "ms", "a whole book by TLS, ready to be queried"),
      Figure("sync-working", Sample(parts.map(\.working)), "ms", "CPU time"),
      Figure("sync-store", Sample(parts.map(\.storing)), "ms", "until it was durable"),
      Figure("sync-bytes", Sample(parts.map(\.receivedBytes)), "B", "received"),
    ]
  }
}
