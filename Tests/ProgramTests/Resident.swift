import Foundation
import TestDice
import Testing

/// A machine in a network: its book, its processes and its acknowledged changes.
final class Resident {
  let program: Program
  let number: Int
  private(set) var serving: Process?
  private(set) var following: Process?
  /// How often each change must appear in the log, because its commands succeeded.
  private(set) var promises: [String: Int] = [:]
  private(set) var acknowledged = 0
  private(set) var undone = 0
  private(set) var refused = 0
  /// Commands that failed unexpectedly.
  private(set) var faults: [String] = []
  private let realm: any Neighbourhood
  private var dice: Dice
  private var commands = 0
  /// The ids of the to-dos that this machine added.
  private(set) var todos: [String] = []
  /// The to-dos of other machines; some may not have arrived here yet.
  var foreignTodos: [String] = []
  private var questions: [String] = []
  private var running: (process: Process, pipe: Pipe, words: [String], mark: String)?

  init(_ number: Int, in realm: any Neighbourhood, seed: UInt64) throws {
    (program, self.number, self.realm) = (try Program(), number, realm)
    dice = Dice(seed: seed &+ UInt64(number))
  }

  deinit {
    for process in [serving, following] where process?.isRunning == true { process?.terminate() }
    try? program.remove()
  }

  // MARK: Background processes

  func serve() throws {
    guard serving?.isRunning != true else { return }
    serving = try begin(["serve", "--listen", realm.door(of: number)])
  }

  func follow() throws {
    guard following?.isRunning != true else { return }
    following = try begin(["sync", "--follow"])
  }

  /// Kills the server or the follower, if it is running.
  func strike(server: Bool) -> Bool {
    guard let process = server ? serving : following, process.isRunning else { return false }
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    return true
  }

  /// Starts one sync with another machine.
  func beginSync(with other: Int) throws -> Process {
    try begin(["sync", "tcp://\(realm.address(of: other, from: number))"])
  }

  private func begin(_ words: [String]) throws -> Process {
    let process = try program.process(words)
    realm.move(process, to: number)
    try process.run()
    return process
  }

  /// Returns the address of the server as seen from another machine.
  func address(from other: Int) -> String { realm.address(of: number, from: other) }

  func run(_ words: String...) throws -> (code: Int32, output: String) { try run(words) }

  /// Runs a command on this machine until it ends.
  func run(_ words: [String]) throws -> (code: Int32, output: String) {
    let pipe = Pipe()
    let process = try program.process(words, output: pipe)
    realm.move(process, to: number)
    try process.run()
    let bytes = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: bytes, as: UTF8.self))
  }

  // MARK: Commands

  /// Starts a command, and kills it immediately if it is doomed.
  func beginCommand(isDoomed: Bool) throws {
    commands += 1
    let (words, mark) = nextWords()
    let pipe = Pipe()
    let process = try program.process(words + ["--json"], output: pipe)
    try process.run()
    if isDoomed { kill(process.processIdentifier, SIGKILL) }
    running = (process, pipe, words, mark)
  }

  /// Waits for the command, and records its acknowledged changes.
  func endCommand() throws {
    guard let (process, pipe, words, mark) = running else { return }
    running = nil
    let bytes = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationReason == .exit else { return }
    guard process.terminationStatus == 0 else {
      // A record that another machine has deleted, or that has not arrived here yet, is refused.
      if process.terminationStatus == 1 {
        refused += 1
      } else {
        faults.append("\(process.terminationStatus): \(words.joined(separator: " "))")
      }
      return
    }
    acknowledged += 1
    if words[0] == "undo" { undone += 1 }
    for (verb, kind, id) in try Resident.answered(bytes) {
      promises["\(verb) \(id) \(mark)", default: 0] += 1
      if verb == "add", kind == "todo" { todos.append(id) }
      if verb == "add", kind == "question" { questions.append(id) }
    }
  }

  /// Returns the next command, and the text that identifies it in the log.
  private func nextWords() -> (words: [String], mark: String) {
    let name = "\(number)-\(commands)"
    let roll = dice.number(100)
    if let todo = dice.pick(dice.chance(30) && !foreignTodos.isEmpty ? foreignTodos : todos) {
      switch roll {
      case 40..<57: return (["edit", todo, "--note", name], "note=\(name)")
      case 57..<64: return (["edit", todo, "--title", name], "title=\(name)")
      case 64..<68: return (["done", todo], "")
      case 68..<74: return (["delete", todo], "")
      case 74..<80: return (["restore", todo], "")
      default: break
      }
    }
    if let question = dice.pick(questions), (80..<86).contains(roll) {
      return (["add", "choice", question, name], "name=\(name)")
    }
    switch roll {
    case 86..<90: return (["add", "question", name], "content=\(name)")
    case 90..<94: return (["add", "birthday", name, "1815-12-10"], "firstName=\(name)")
    case 94..<97: return (["undo"], "")
    case 97: return (["compact"], "")
    default: return (["add", "todo", name, "--list", "Common"], "title=\(name)")
    }
  }

  /// Returns the verb, kind and id of each record in the JSON answer of a command.
  private static func answered(
    _ bytes: Data
  ) throws -> [(verb: String, kind: String, id: String)] {
    guard let rows = try JSONSerialization.jsonObject(with: bytes) as? [[String: Any]] else {
      return []
    }
    return rows.compactMap { row in
      guard let verb = row["verb"] as? String, let record = row["record"] as? [String: Any],
        let kind = record["kind"] as? String, let id = record["id"] as? String
      else { return nil }
      return (verb, kind, id)
    }
  }
}
