import Foundation

/// A command that meets a fault, and the checks afterwards.
struct Trial: Sendable {
  let end: SuddenEnd
  /// The prepared folder; each trial uses a copy of it.
  let program: Program
  let titles: Set<String>

  init(_ end: SuddenEnd, _ program: Program) throws {
    self.end = end
    self.program = program
    titles = try Set(program.titles())
  }

  /// Runs the command without faults; returns its calls and the resulting file sizes.
  func rehearse() throws -> (calls: [Traced.Call], sizes: [Int]) {
    let copy = try Program(copying: program)
    defer { try? copy.remove() }
    let before = try Self.sizes(in: copy)
    let calls = try Traced(program: copy).calls(of: SuddenEnd.words(end.doomed, in: copy))
    let after = try Self.sizes(in: copy).filter { $0.value > before[$0.key] ?? 0 }
    let sizes = after.flatMap { name, size in
      let old = before[name] ?? 0
      return [old + 1, (old + size) / 2, size - 1]
    }
    return (calls, Set(sizes).filter { $0 > 0 }.sorted())
  }

  /// Kills the command at calls with the same effect, and checks the result of the first.
  ///
  /// - Returns: The faults found.
  func kill(at calls: [Traced.Call]) throws -> [String] {
    var faults: [String] = []
    var files: [String]?
    for call in calls {
      faults += try meet("killed at \(call.name) \(call.number)") { traced, words in
        let code = try traced.run(words, meeting: call, with: "signal=SIGKILL")
        guard let known = files else {
          files = try traced.program.files()
          return code
        }
        let same = try traced.program.files() == known
        if !same { faults.append("\(end) \(call.name) \(call.number): other files than expected") }
        return nil
      }
    }
    return faults
  }

  /// Makes a call of the command fail, or also all later calls with that name.
  func refuse(_ call: Traced.Call, _ error: String, forGood: Bool) throws -> [String] {
    try meet("\(error) at \(call.name) \(call.number)\(forGood ? "+" : "")") { traced, words in
      try traced.run(words, meeting: call, with: "error=\(error)", forGood: forGood)
    }
  }

  /// Limits the file size of the command; the rest of the write fails or kills it.
  func cutShort(at byteCount: Int, isKilled: Bool) throws -> [String] {
    try meet("no file above \(byteCount) bytes\(isKilled ? ", killed" : "")") { traced, words in
      try traced.run(words, longestFile: byteCount, isKilled: isKilled)
    }
  }

  /// Runs the command with its fault, and checks the book with more commands.
  ///
  /// - Parameters:
  /// - fate: The description of the fault.
  /// - body: Runs the command and returns its code, or nil if there is nothing to check.
  /// - Returns: The faults found.
  /// - Throws: An error that prevented the trial.
  private func meet(
    _ fate: String, _ body: (Traced, [String]) throws -> Int32?
  ) throws -> [String] {
    let copy = try Program(copying: program)
    defer { try? copy.remove() }
    guard
      let code = try body(Traced(program: copy), SuddenEnd.words(end.doomed, in: copy))
    else { return [] }
    var faults: [String] = []
    let expected = titles.union(code == 0 ? end.acknowledges : [])
    let found = try copy.titles()
    if !Set(found).isSuperset(of: expected) { faults.append("something is missing") }
    if found.count != Set(found).count { faults.append("something is there twice") }
    let add = try copy.run("add", "todo", "after").code
    if add != 0 { faults.append("the next command ends with \(add)") }
    // Missing events stay missing until they are restored from a peer.
    let verify = try copy.run("verify").code
    let isSound = end.lacksEvent ? verify == 3 : verify == 0 || (code != 0 && end.isDamaged)
    if !isSound { faults.append("verify ends with \(verify)") }
    let last = try copy.titles()
    if !Set(last).isSuperset(of: expected.union(["after"])) { faults.append("later it is missing") }
    if last.count != Set(last).count { faults.append("later it is there twice") }
    if code == 0, let erased = end.erases, try copy.run("list", "birthdays").output.contains(erased)
    {
      faults.append("what was erased is there")
    }
    return faults.map { "\(end) \(fate), ended with \(code): \($0)" }
  }

  private static func sizes(in program: Program) throws -> [String: Int] {
    var sizes: [String: Int] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: program.folder.path())
    where !name.contains("view.sqlite") {
      let path = program.folder.appending(path: name).path()
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      guard attributes[.type] as? FileAttributeType == .typeRegular else { continue }
      sizes[name] = attributes[.size] as? Int
    }
    return sizes
  }
}
