import Daybook
import Phrasing
import Platform
import SimulatedPlatform
import Synchronization
import Testing

@testable import Console

struct ProgressTests {
  private final class Listener: Sendable {
    let clock = SimulatedTimekeeper(now: Moment(milliseconds: 0))
    private let heard = Mutex<[String]>([])

    func line(isShown: Bool = true, isTold: Bool = false) -> ProgressLine {
      ProgressLine(clock, isShown: isShown, isTold: isTold) { text in
        self.heard.withLock { $0.append(text) }
      }
    }

    /// Returns the output since the last call.
    func takeHeard() -> [String] {
      heard.withLock { heard in
        defer { heard = [] }
        return heard
      }
    }
  }

  @Test func `Progress: a long step is shown, and its line is cleared afterwards`() {
    let listener = Listener()
    let line = listener.line()
    func show(after milliseconds: Int64, _ done: UInt64) {
      listener.clock.advance(milliseconds: milliseconds)
      line.show(Progress(.verification, done: done, total: 100_000))
    }
    show(after: 0, 0)
    show(after: 500, 10)
    line.show(nil)
    #expect(listener.takeHeard() == [])
    show(after: 10, 0)
    show(after: 2_000, 41_200)
    // An update after less than 100 milliseconds is not shown.
    show(after: 99, 50_000)
    // Frames can contain more events than the missing events.
    show(after: 1, 200_000)
    line.show(nil)
    line.show(nil)
    #expect(
      listener.takeHeard() == [
        "\rverify 41 200/100 000 events  41%  3 s left\u{1B}[K",
        "\rverify 100 000/100 000 events  100%  0 s left\u{1B}[K", "\r\u{1B}[K",
      ])
  }

  @Test func `Progress: the duration of each part is reported on request`() {
    let listener = Listener()
    let line = listener.line(isShown: false, isTold: true)
    line.show(Progress(.fold, done: 0, total: 2_000))
    listener.clock.advance(milliseconds: 1_260)
    line.show(Progress(.fold, done: 2_000, total: 2_000))
    line.show(Progress(.intake, done: 1, total: 1))
    line.show(nil)
    line.show(nil)
    #expect(
      listener.takeHeard() == [
        "daybook: read: 2 000 events in 1.3 s.\n", "daybook: import: 1 record in 0.0 s.\n",
      ])
  }

  @Test func `Progress: --verbose reports durations, and --quiet contradicts it`() {
    let stage = Stage()
    _ = stage.answer("add", "todo", "Sweep")
    #expect(
      stage.run("rebuild", "-v").error == "daybook: read: 2 events in 0.0 s.\n")
    #expect(stage.run("verify", "-v").error.hasSuffix("daybook: verify: 2 events in 0.0 s.\n"))
    #expect(stage.run("rebuild").error == "")
    let both = stage.run("verify", "-q", "-v")
    #expect(both == .init(code: .usage, output: "", error: both.error))
    #expect(both.error.contains("--quiet") && both.error.contains("--verbose"))
  }

  @Test func `Debugging: DAYBOOK_DEBUG adds the details of an error`() {
    let stage = Stage()
    let plain = stage.run("list", "todos")
    let detailed = stage.run("list", "todos", environment: ["DAYBOOK_DEBUG": "1"])
    #expect(detailed.error.hasPrefix(plain.error + "daybook: detail: noBook("))
    #expect(detailed.error.dropFirst(plain.error.count).split(separator: "\n").count == 1)
    #expect(stage.run("list", "todos", environment: ["DAYBOOK_DEBUG": "0"]) == plain)
    let json = stage.run("list", "todos", "--json", environment: ["DAYBOOK_DEBUG": "1"])
    #expect(json.error.contains(#""detail":"noBook("#))
  }
}
