import Bytes
import Crypto
import Platform
import SimulatedPlatform
import Testing

@testable import Journaling

/// What is sent of a log with damage that only the frames themselves tell.
struct ExportTests {
  @Test func `a frame that says another time of the one before goes out all the same`() throws {
    var log = try HandWrittenLog()
    let frames = [
      try log.frame([log.opening], hasHead: false),
      try log.frame([HandWrittenLog.plain("early")], hasHead: false),
      // Its chain hash joins, so that a reader sees no damage.
      try log.frame([HandWrittenLog.plain("late")], hasHead: false) { $0.time += 1 },
      try log.frame([HandWrittenLog.plain("later")], hasHead: false),
    ]
    let replica = ReplicaFiles(
      id: log.id, files: [(ReplicaFiles.tail, frames.flatMap(\.self))])
    let folder = LogFolder(
      path: Path("/book/logs/\(log.id.hex)"), replica: log.id, disk: try replica.disk())
    var export = LogExport(
      LogReader(folder, from: 1), after: 0, signer: (log.id, log.keys.signing))
    var chain = Chain()
    var sent: [ClosedRange<UInt64>] = []
    while let bytes = try export.next() {
      let frame = try Frame.decode(bytes.span, at: 0, &chain)
      sent.append(frame.firstSequence...frame.lastSequence)
      #expect(frame.head != nil)
    }
    #expect(sent.flatMap { Array($0) } == [1, 2, 3, 4])
  }
}
