import Bytes
import Daybook
import Interchange
import Journaling
import Platform
import PosixPlatform
import Syncing

/// Measures the number of events stored per second when many are written at once.
struct Bulk {
  let stock: Stock
  let scale: Scale

  /// Measures a journal that packs prepared commands of one event each and makes them durable in one call.
  func append() throws -> Sample {
    let commands = try commands()
    let times = try (0...scale.runs).map { _ in
      let bench = try BenchJournal(in: stock.folder)
      defer { try? bench.remove() }
      return try milliseconds { try bench.append(commands) }
    }
    return .rate(of: UInt64(commands.count), taking: Array(times.dropFirst()))
  }

  /// Measures an import of operations as text, from parsing to the updated read model.
  func importing() throws -> Sample {
    let workload = stock.workload(scale)
    var rates: [Double] = []
    for _ in 0...scale.runs {
      let folder = BenchJournal.newFolder(in: stock.folder, .bench)
      let book = try BookFactory.create(at: folder, on: .bench, deviceName: "bench")
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

  /// Returns the events of the stock's book as commands of one event each, with their original times.
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
