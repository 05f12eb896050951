import Console
import Phrasing
import Synchronization
import Testing

/// Endless standard input is read only up to the limit for the expected contents.
struct InputLimitTests {
  /// Runs a command with endless input after the given text; returns its outcome and the number of bytes that it
  /// read.
  private func run(_ words: String..., input start: String) -> (Stage.Outcome, read: Int) {
    let read = Mutex(0)
    let outcome = Stage().run(
      words,
      adjust: { environment in
        environment.streams.readInput = { count in
          read.withLock { read in
            defer { read += count }
            var bytes = [UInt8](repeating: UInt8(ascii: " "), count: count)
            let part = start.utf8.dropFirst(read).prefix(count)
            bytes.replaceSubrange(..<part.count, with: part)
            return bytes
          }
        }
      })
    return (outcome, read.withLock { $0 })
  }

  @Test func `Input limit: import reads standard input up to the format's limit`() {
    let (outcome, read) = run("import", "-", input: "BEGIN:VCARD\r\n")
    #expect(
      outcome
        == .init(
          code: .refused, output: "",
          error: """
            daybook: standard input cannot be imported: it is larger than 67108864 bytes; --large allows 16 \
            times as much.

            """))
    #expect(read == (64 << 20) + 1)
  }

  @Test func `Input limit: join reads standard input up to an invitation's length`() {
    let (outcome, read) = run("join", "-", input: "")
    #expect(
      outcome
        == .init(
          code: .refused, output: "",
          error: """
            daybook: standard input has more than 4096 bytes, which is too long for an invitation.

            """))
    #expect(read == (1 << 12) + 1)
  }
}
