import Console
import Phrasing
import Platform
import ReadModel
import SimulatedPlatform
import Synchronization

/// Command lines from users or from other programs.
enum CommandLines {
  /// Runs at most three commands, one after another.
  ///
  /// Each line is a command whose arguments are separated by tabs.
  static func take(_ bytes: [UInt8]) throws(Violation) {
    let lines = bytes.split(separator: 0x0a).prefix(3)
    let desk = Desk(like: prepared)
    for line in lines {
      let words = line.split(separator: 0x09, omittingEmptySubsequences: false).map {
        String(decoding: $0, as: UTF8.self)
      }
      // The demonstration creates its own books and has no arguments.
      guard words.first != "demo" else { continue }
      let said = desk.run(words)
      // Exports are written for files, not for the terminal.
      guard !words.contains("export") else { continue }
      let harmful = said.unicodeScalars.first { $0 != "\n" && String($0).visible != String($0) }
      try demand(
        harmful == nil,
        "no harmful characters reach the terminal: \(words) \(said.debugDescription)")
    }
  }

  /// A book with a record of each kind.
  private static let prepared: SimulatedDisk = {
    let desk = Desk(like: nil)
    for words in [
      ["add", "birthday", "Ada Lovelace", "1815-12-10"],
      ["add", "todo", "Buy Eggos", "--list", "Home", "--due", "2026-12-24"],
      ["add", "question", "Lunch?", "Noodles:3", "Salad:2"], ["pick", "lunch"], ["done", "eggos"],
    ] {
      _ = desk.run(words)
    }
    return desk.disk
  }()
}

/// A machine in memory, and the output of its commands.
private final class Desk: Sendable {
  private let machine: Machine
  private let timekeeper: SimulatedTimekeeper
  let disk: SimulatedDisk
  private let said = Mutex("")

  /// Creates a machine whose clock shows 09:00 UTC on 2026-11-20.
  init(like other: SimulatedDisk?) {
    timekeeper = SimulatedTimekeeper(now: Moment(milliseconds: 1_795_165_200_000))
    disk = other?.copy() ?? SimulatedDisk(timekeeper: timekeeper)
    machine = Machine(
      disk: disk, timekeeper: timekeeper, dice: Seeded(seed: 1), network: SimulatedNetwork())
  }

  func run(_ words: [String]) -> String {
    let streams = StandardStreams(
      write: { text in self.said.withLock { $0 += text } },
      writeError: { text in self.said.withLock { $0 += text } }, readInput: { _ in [] },
      readAnswer: { nil })
    var environment = CommandEnvironment(
      machine: machine, variables: ["HOME": "/home/ada"], workingDirectory: Path("/home/ada"),
      hostName: "laptop", streams: streams, process: HostProcess(beside: { $0() }),
      seededDice: { Seeded(seed: $0) })
    environment.view = .memory
    environment.process.shouldStop = { true }
    timekeeper.advance(milliseconds: 60_000)
    _ = Console.run(words, in: environment)
    return said.withLock { said in
      defer { said = "" }
      return said
    }
  }
}
