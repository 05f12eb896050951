import Platform
import SimulatedPlatform
import Synchronization
import Syncing
import Testing

@testable import Console

struct ProgressTests {
  @Test func `what takes a while is shown, and the line is clean afterwards`() {
    let clock = SimulatedTimekeeper(now: Moment(milliseconds: 0))
    let shown = Mutex<[String]>([])
    let line = ProgressLine(clock) { text in shown.withLock { $0.append(text) } }
    func show(after milliseconds: Int64, _ sent: UInt64, _ received: UInt64) {
      clock.advance(milliseconds: milliseconds)
      line.show(SyncProgress(sent: sent, received: received, total: 300))
    }
    show(after: 0, 0, 0)
    show(after: 500, 10, 10)
    line.show(nil)
    #expect(shown.withLock { $0 } == [])
    show(after: 10, 20, 20)
    show(after: 501, 70, 80)
    // Not more often than anybody reads.
    show(after: 99, 80, 80)
    // Frames may hold more than was lacked.
    show(after: 1, 200, 101)
    line.show(nil)
    line.show(nil)
    let (half, full) = (String(repeating: "#", count: 15), String(repeating: "#", count: 30))
    let rest = String(repeating: ".", count: 15)
    #expect(
      shown.withLock { $0 } == [
        "\r[\(half)\(rest)] 150 of 300 events\u{1B}[K", "\r[\(full)] 300 of 300 events\u{1B}[K",
        "\r\u{1B}[K",
      ])
  }
}
