import Bytes
import Platform

/// Something to be measured, as figures.
struct Benchmark: Sendable {
  let name: String
  /// Measures in a folder, with the operations of a file where it takes some.
  let measure: @Sendable (Path, Workload) throws -> [Figure]

  /// What is measured, and what the figures must come to.
  static let all = [
    Benchmark(name: "append") { folder, _ in
      let turns = try Turns.append(in: folder)
      return [
        Figure("append", turns.perSecond, "durable commits/s"),
        Figure("append-ratio", turns.ratio * 100, "% of plain writes and flushes", .atLeast(90)),
      ]
    },
    Benchmark(name: "append-group") { folder, _ in
      let turns = try Turns.appendGroup(in: folder)
      return [
        Figure("append-group", turns.perSecond, "durable commits/s"),
        Figure("append-group-ratio", turns.ratio * 100, "% of plain writes and flushes"),
      ]
    },
    Benchmark(name: "size") { folder, workload in
      let plain = try Size.bytesPerEvent(of: workload, keepsUIDs: false, in: folder)
      let withUIDs = try Size.bytesPerEvent(of: workload, keepsUIDs: true, in: folder)
      let commits = try Size.commits(in: folder)
      return [
        Figure("size", plain, "bytes/event, sealed", .atMost(12.5)),
        Figure("size-uids", withUIDs, "bytes/event, sealed, with uids", .atMost(19.5)),
        Figure("size-commit", commits.largest, "bytes, one event of 20", .atMost(140)),
        Figure("size-unsealed", commits.unsealed, "bytes, the most unsealed", .atMost(65_536)),
      ]
    },
    Benchmark(name: "list") { folder, workload in
      let large = try LargeBook(of: workload, in: folder)
      let listing = try large.listing()
      try large.remove()
      return [
        Figure("list", listing.whole, "ms, a process that lists 50 to-dos", .atMost(6)),
        Figure("list-working", listing.working, "ms of that it was working"),
      ]
    },
    Benchmark(name: "commands") { folder, workload in
      let commands = try Commands(of: workload, in: folder)
      let times = try commands.measure(turns: 100)
      try commands.remove()
      return Deed.allCases.map { deed in
        Figure("command-\(deed)", times.own[deed] ?? 0, "ms, \(deed.meaning)", .atMost(deed.bar))
      }
        + (times.others ?? [:]).sorted { $0.key.rawValue < $1.key.rawValue }.map { deed, time in
          Figure("taskwarrior-\(deed)", time, "ms, Taskwarrior, the same with as many tasks")
        }
    },
    Benchmark(name: "apply") { folder, workload in
      let large = try LargeBook(of: workload, in: folder)
      var other = try OtherDevice(of: large)
      var chance = Chance()
      func turn(_ measure: () throws -> Double) throws -> Double {
        try other.write(100, &chance)
        return try measure()
      }
      let applying = try median((0..<31).map { _ in try turn(other.apply) })
      let syncing = try median(
        (0..<31).map { _ in try turn { try other.sync(by: large.folder / "bundle") } })
      try large.remove()
      return [
        Figure("apply", applying, "ms, 100 events of another device", .atMost(10)),
        Figure("apply-sync", syncing, "ms, the same by a bundle, with a receipt"),
      ]
    },
    Benchmark(name: "merge") { folder, workload in
      var merge = try Merge(of: workload, in: folder)
      let warm = try merge.warm(turns: 11)
      let cold = try merge.cold(turns: 11)
      try merge.remove()
      return [
        Figure("merge-warm", warm.held, "ms, 100 and 100 events, in touch, durable", .atMost(5)),
        Figure("merge-shown", warm.shown, "ms until both show them"),
        Figure("merge-bytes", Double(warm.bytes), "bytes of that", .atMost(8_192)),
        Figure("merge-cold", cold, "ms, a process that syncs 100 and 100", .atMost(60)),
      ]
    },
    Benchmark(name: "rebuild") { folder, workload in
      let rebuilding = Rebuilding(large: try LargeBook(of: workload, in: folder))
      let rate = try rebuilding.fold(runs: 7)
      try rebuilding.large.remove()
      return [
        Figure("rebuild", rate.thousands, "thousand events/s, in memory"),
        Figure("rebuild-working", rate.working, "ms it was working at all of them"),
      ]
    },
    Benchmark(name: "view") { folder, workload in
      let rebuilding = Rebuilding(large: try LargeBook(of: workload, in: folder))
      let rate = try rebuilding.view(runs: 5)
      try rebuilding.large.remove()
      return [
        Figure("view", rate.thousands, "thousand events/s, into the read model"),
        Figure("view-working", rate.working, "ms it was working at all of them"),
      ]
    },
    Benchmark(name: "sync") { folder, workload in
      let syncing = try FullSync(of: workload, in: folder, devices: 5)
      let parts = try syncing.run()
      try syncing.remove()
      return [
        Figure("sync", median(parts.map(\.whole)), "ms, a whole book over TLS, with a receipt"),
        Figure("sync-working", median(parts.map(\.working)), "ms of that it was working"),
        Figure("sync-store", median(parts.map(\.storing)), "ms of that until it was durable"),
        Figure(
          "sync-bytes", median(parts.map(\.receivedBytes)), "bytes received", .atMost(2_000_000)),
      ]
    },
  ]
}

/// Something that was measured, and what it must come to.
struct Figure {
  enum Bar {
    case atLeast(Double)
    case atMost(Double)
  }

  let name: String
  let value: Double
  let unit: String
  let bar: Bar?

  init(_ name: String, _ value: Double, _ unit: String, _ bar: Bar? = nil) {
    self.name = name
    self.value = value
    self.unit = unit
    self.bar = bar
  }

  var isMissed: Bool {
    switch bar {
    case .atLeast(let bound)?: value < bound
    case .atMost(let bound)?: value > bound
    case nil: false
    }
  }

  var line: String {
    let wanted =
      switch bar {
      case .atLeast(let bound)?: "  (at least \(Self.text(bound)))"
      case .atMost(let bound)?: "  (at most \(Self.text(bound)))"
      case nil: ""
      }
    return "\(name)  \(Self.text(value)) \(unit)\(wanted)\(isMissed ? "  MISSED" : "")"
  }

  /// In hundredths, as JSON here has no fractions.
  var json: JSON {
    .object(
      ("name", .string(name)), ("unit", .string(unit)),
      ("hundredths", .integer(Int64((value * 100).rounded()))))
  }

  private static func text(_ number: Double) -> String {
    let tenths = Int64((number * 10).rounded())
    return tenths % 10 == 0 || number >= 1_000 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
  }
}
