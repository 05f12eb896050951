import Crypto
import Foundation
import Platform
import PosixPlatform
import Synchronization
import Testing

/// Three devices of one book: a server, an honest peer, and one with a compromised key.
struct Siege {
  let home: Program
  let serving: Serving
  let honest: Program
  let identity: TLSIdentity
  private let hostile: Program

  init() throws {
    SystemLimits.allowOpenFiles(4_096)
    home = try Program()
    (hostile, honest) = (try Program(), try Program())
    #expect(try home.run("add", "list", "Secrets").code == 0)
    serving = try Serving(home)
    for other in [hostile, honest] {
      let invited = try home.run("invite").output
      let invitation = try #require(try #/daybook1:[A-Z2-7]+/#.firstMatch(in: invited)).output
      #expect(try other.run("join", String(invitation)).code == 0)
    }
    identity = try Hostile.identity(of: hostile)
  }

  func end() {
    serving.stop()
    for program in [home, hostile, honest] { try? program.remove() }
  }

  /// Returns the first line of the next note.
  func nextNote() -> String {
    while true {
      let note = serving.nextNote()
      if note.isEmpty || note.hasPrefix("daybook: ") { return note }
    }
  }

  /// Whether a note contains neither contents of the book nor a private key.
  func tellsNoSecret(_ note: String) -> Bool {
    !note.contains("Secrets") && !note.contains("honest") && !note.contains("PRIVATE")
  }

  /// Returns the server's peak memory, in bytes.
  func mostMemory() throws -> Int {
    let path = "/proc/\(serving.processIdentifier)/status"
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let match = try #require(try #/VmHWM:\s+(\d+) kB/#.firstMatch(in: text))
    return try #require(Int(match.output.1)) << 10
  }

  /// Expects that the honest peer never waited long and that all its events are stored.
  func expectPeace(_ account: HonestPeer.Account) throws {
    #expect(serving.isRunning)
    #expect(account.faults == [])
    #expect(account.longestMilliseconds < 5_000)
    #expect(!account.titles.isEmpty)
    #expect(try honest.run("sync").code == 0)
    #expect(try Set(home.titles()) == Set(account.titles))
    #expect(try home.run("verify").code == 0)
  }

  /// Reads all notes in the background, so the server never blocks.
  func takeNotes() -> Notes {
    let notes = Notes()
    notes.read(serving.notes)
    return notes
  }
}

/// The notes of a server.
final class Notes: Sendable {
  private struct State {
    var lines: [String] = []
    var hasEnded = false
  }

  private let state = Mutex(State())

  /// Reads lines until an empty one.
  func read(_ next: @escaping @Sendable () -> String) {
    SystemThread.start { [self] in
      while true {
        let line = next()
        state.withLock { state in
          if line.isEmpty { state.hasEnded = true } else { state.lines.append(line) }
        }
        if line.isEmpty { return }
      }
    }
  }

  /// The number of lines that contain a text, after the last line.
  func count(of text: String) -> Int {
    while !state.withLock({ $0.hasEnded }) { SystemTimekeeper().pause(milliseconds: 10) }
    return state.withLock { $0.lines.count { $0.contains(text) } }
  }
}
