import Bytes
import Journaling
import Platform
import SimulatedPlatform
import Syncing

/// A side of a sync with frames of the vectors in its journal; it accepts every log as part of the book.
final class VectorHolder: Holder {
  private static let folder = Path("/book")

  let simulated: SimulatedMachine
  /// The hello without the frontier.
  private let device: Hello
  private var journal: Journal

  /// Writes each log's frames to one file, and opens the journal.
  init(_ device: Hello, holding logs: [UniqueID: [[UInt8]]] = [:]) throws {
    self.device = device
    simulated = SimulatedMachine(seed: 1)
    for (log, frames) in logs {
      let path = Self.folder / "logs" / log.hex
      try simulated.disk.makeDirectories(path)
      try simulated.disk.replace(path / Self.name(of: frames), with: Array(frames.joined()))
    }
    journal = try Journal(at: Self.folder, on: simulated.machine)
  }

  /// The name of a sealed file with these frames.
  private static func name(of frames: [[UInt8]]) throws -> String {
    let events = frames.compactMap { FrameLabel($0.span, at: 0)?.events }
    guard let first = events.first?.lowerBound, let last = events.last?.upperBound,
      events.count == frames.count
    else { throw NoFrame() }
    return "\(padded(first))-\(padded(last)).gz"
  }

  private static func padded(_ sequence: UInt64) -> String {
    String(repeating: "0", count: 12 - String(sequence).count) + String(sequence)
  }

  struct NoFrame: Error {}

  var hello: Hello {
    var hello = device
    // An open journal already has its places.
    hello.frontier = Frontier((try? journal.places()) ?? [])
    return hello
  }

  func landmarks(for other: Frontier) throws(SyncError) -> [Place] {
    try inJournal { () throws(JournalError) in try journal.landmarks(for: other.places) }
  }

  func frames(of log: UniqueID, lackedBy places: [Place]) throws(SyncError) -> FrameStream {
    let export = try inJournal { () throws(JournalError) in
      OpenExport(try journal.export(of: log, lackedBy: places, keys: nil))
    }
    return FrameStream { () throws(SyncError) in try export.next() }
  }

  func acceptsHead(of frame: [UInt8], of log: UniqueID) -> Bool {
    journal.acceptsHead(of: frame, of: log)
  }

  func stage(_ frame: [UInt8], of log: UniqueID) throws(JournalError) {
    try journal.receive(frame, of: log, on: .logs)
  }

  func commit() throws(JournalError) -> Frontier {
    _ = try journal.commit()
    return hello.frontier
  }

  private func inJournal<Value: ~Copyable>(
    _ body: () throws(JournalError) -> Value
  ) throws(SyncError) -> Value {
    do throws(JournalError) { return try body() } catch { throw .journal(error) }
  }
}

/// An export in an object, so that it can be shared.
private final class OpenExport {
  private var export: ReplicaExport

  init(_ export: consuming ReplicaExport) { self.export = export }

  func next() throws(SyncError) -> [UInt8]? {
    do throws(JournalError) { return try export.next() } catch { throw .journal(error) }
  }
}
