import Bytes
import Crypto
import Journaling
import Platform
import SimulatedPlatform
import Testing

/// The frames of a tail that count, in the orders of the vectors.
struct FrameOrderTests {
  /// A frame of a vector, such as `4-6` or `4'`.
  private struct Part: Hashable {
    var events: ClosedRange<UInt64>
    /// Whether the events belong to the branch that leaves the log after event 2.
    var isInBranch: Bool

    init(_ text: Substring) throws {
      isInBranch = text.hasSuffix("'")
      let numbers = try text.filter { $0 != "'" }.split(separator: "-").map {
        try #require(UInt64($0))
      }
      events = try #require(numbers.first)...(try #require(numbers.last))
    }
  }

  private static let folder = Path("/book")
  private static let tail = "000000000001.gz"

  /// Writes events of a log, in frames of the given events, and returns the bytes of each frame.
  private static func frames(
    _ parts: [ClosedRange<UInt64>], from seed: UInt8
  ) throws -> (log: UniqueID, frames: [ClosedRange<UInt64>: [UInt8]]) {
    let simulated = SimulatedMachine(seed: 1)
    let keys = try LogVector.deskKeys()
    var journal = try Journal(at: folder, on: simulated.machine)
    let log = try journal.begin(
      keys, incarnation: UniqueID(high: 1, low: 2), name: "desk", at: 1_000)
    let path = folder / "logs" / log.hex / tail
    var frames: [ClosedRange<UInt64>: [UInt8]] = [:]
    var length = try simulated.disk.contents(of: path, limit: 1 << 20).count
    frames[1...1] = try simulated.disk.contents(of: path, limit: 1 << 20)
    for part in parts where part.lowerBound > 1 {
      // The branch differs from event 3 on.
      let commands = part.map { event in
        Command(time: 2_000, events: [NewEvent(body: [0x82, 0, event > 2 ? seed : 0])])
      }
      _ = try journal.append(commands, to: log, keys: keys)
      let file = try simulated.disk.contents(of: path, limit: 1 << 20)
      frames[part] = Array(file[length...])
      length = file.count
    }
    return (log, frames)
  }

  /// The frames that lead from the first event to those of the given parts, with each event in only one frame.
  private static func cover(_ parts: [ClosedRange<UInt64>]) -> [ClosedRange<UInt64>] {
    var cover: [ClosedRange<UInt64>] = []
    var next: UInt64 = 1
    for part in parts.sorted(by: { $0.lowerBound < $1.lowerBound }) where part.lowerBound >= next {
      cover += (next..<part.lowerBound).map { $0...$0 } + [part]
      next = part.upperBound + 1
    }
    return cover
  }

  @Test func `Frames of a tail: those of the vectors count`() throws {
    for (order, counted) in try ProtocolText.vector("frames of a tail").pairs {
      let parts = try order.split(separator: " ").map(Part.init)
      var bytes: [UInt8] = []
      var log = UniqueID.none
      for part in parts {
        // Each frame is taken from a log whose other frames do not overlap it.
        let written = try Self.frames(
          Self.cover([part.events]), from: part.isInBranch ? 1 : 0)
        log = written.log
        bytes += try #require(written.frames[part.events])
      }
      let simulated = SimulatedMachine(seed: 2)
      let path = Self.folder / "logs" / log.hex / Self.tail
      try simulated.disk.makeDirectories(path.parent)
      try simulated.disk.replace(path, with: bytes)
      var reader = try Journal(at: Self.folder, on: simulated.machine).reader(of: log)
      var found: [String] = []
      while let read = try reader.read() {
        for event in read.frame.events[read.firstNew...] {
          let isInBranch = read.frame.content[event.body].elementsEqual([0x82, 0, 1])
          found.append("\(event.sequence)\(isInBranch ? "'" : "")")
        }
      }
      #expect(found.joined(separator: " ") == counted, "\(order)")
    }
  }
}
