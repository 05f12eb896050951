import Bytes
import Daybook
import Interchange
import Journaling
import Platform
import PosixPlatform
import Syncing

/// How many events a second are taken in where many come at once.
struct Bulk {
  let stock: Stock
  let scale: Scale

  /// Commands of one event each, made before, that the journal packs and makes durable in one call.
  func append() throws -> Sample {
    let commands = try commands()
    let times = try (0...scale.runs).map { _ in
      let bench = try BenchJournal(in: stock.folder)
      defer { try? bench.remove() }
      return try milliseconds { try bench.append(commands) }
    }
    return .rate(of: UInt64(commands.count), taking: Array(times.dropFirst()))
  }

  /// Operations as text, that are read, judged, written and shown.
  func importing() throws -> Sample {
    let workload = stock.workload(scale)
    var rates: [Double] = []
    for _ in 0...scale.runs {
      let folder = BenchJournal.newFolder(in: stock.folder, .system)
      let book = try BookFactory.create(at: folder, on: .system, deviceName: "bench")
      var lines = 0
      let taken = try milliseconds {
        lines = try book.importer.importOperations(workload.lines, ImportOptions(keepsUIDs: true))
          .lines
      }
      rates.append(Double(lines) * 1_000 / taken)
      try Machine.system.disk.removeAll(folder)
    }
    return Sample(Array(rates.dropFirst()))
  }

  /// All commands of the stock's book, as if each were written when it happened.
  private func commands() throws -> [Command] {
    let book = try stock.book(scale).book
    var frames: [[UInt8]] = []
    try BookReplica(of: book.replica).forEachFrame(of: book.replica.hello.replica, lackedBy: []) {
      frames.append($0)
    }
    var commands: [Command] = []
    var chain = Chain()
    for bytes in frames {
      let frame = try Frame.decode(bytes.span, at: 0, &chain)
      for event in frame.events where event.sequence > 1 {
        let body = NewEvent(body: Array(frame.content[event.body]))
        commands.append(Command(time: event.when ?? event.time, events: [body]))
      }
    }
    return commands
  }
}
