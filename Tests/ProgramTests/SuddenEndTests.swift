import Foundation
import Testing

/// Real processes that are killed, or refused something, at one call to the system after the other.
@Suite(
  .enabled(if: Program.path != nil, "the program was not built beside the tests"),
  .enabled(
    if: Traced.path != nil, "strace is not installed, so no process is killed at a chosen call"))
struct SuddenEndTests {
  /// Of the calls about the view so many are tried, spread over all of them; of the others all or this many.
  static let (viewCallCount, callCount) = (4, 40)

  @Test(arguments: SuddenEnd.all)
  func `a process killed at any call leaves all that was acknowledged`(end: SuddenEnd) throws {
    let program = try Self.prepared(end)
    defer { try? program.remove() }
    let calls = try Traced(program: Program(copying: program)).calls(
      of: SuddenEnd.words(end.doomed, in: program))
    let chosen =
      Self.spread(calls.filter { !$0.isOfView }, Self.callCount)
      + Self.spread(calls.filter(\.isOfView), Self.viewCallCount)
    #expect(chosen.count > 10, "\(end): \(calls.count)")
    for call in chosen { try Self.check(end, program, call, "signal=SIGKILL") }
    print("\(end): killed at \(chosen.count) of \(calls.count) calls")
  }

  @Test(arguments: SuddenEnd.all)
  func `a process refused any call leaves all that was acknowledged`(end: SuddenEnd) throws {
    let program = try Self.prepared(end)
    defer { try? program.remove() }
    let calls = try Traced(program: Program(copying: program)).calls(
      of: SuddenEnd.words(end.doomed, in: program))
    for (index, error) in ["ENOSPC", "EIO", "EROFS"].enumerated() {
      let chosen = Self.spread(Array(calls.dropFirst(index)), 5)
      for call in chosen { try Self.check(end, program, call, "error=\(error)") }
    }
  }

  private static func prepared(_ end: SuddenEnd) throws -> Program {
    let program = try Program()
    try SuddenEnd.lines.write(
      to: program.folder.appending(path: "lines.jsonl"), atomically: true, encoding: .utf8)
    try FileManager.default.createDirectory(
      at: program.folder.appending(path: "shared"), withIntermediateDirectories: false)
    for words in end.before {
      let outcome = try program.run(SuddenEnd.words(words, in: program))
      #expect(outcome.code == 0, "\(words.map { $0.prefix(40) })")
    }
    if end.fillsTail { try fillTail(of: program) }
    return program
  }

  /// Writes until less than 3,000 bytes are missing of the 64 KiB at which a tail is sealed.
  private static func fillTail(of program: Program) throws {
    var (count, size) = (14_500, 0)
    while size < 65_536 - 3_000 {
      // Each time another text, or it would not change anything.
      count = size < 48_000 ? count - 1 : min(count, 3_000) - 1
      #expect(try program.run("edit", "first", "--note", SuddenEnd.noise(count)).code == 0)
      let logs = program.folder.appending(path: "book/logs")
      let log = try #require(FileManager.default.contentsOfDirectory(atPath: logs.path()).first)
      let tail = logs.appending(path: log).appending(path: "000000000001.gz")
      size = try #require(
        FileManager.default.attributesOfItem(atPath: tail.path())[.size] as? Int)
    }
  }

  /// Some of the calls, the first and the last among them.
  private static func spread(_ calls: [Traced.Call], _ count: Int) -> [Traced.Call] {
    guard calls.count > count, count > 1 else { return calls }
    return (0..<count).map { calls[$0 * (calls.count - 1) / (count - 1)] }
  }

  /// Lets the command meet its fate, and the next ones find what must be there.
  private static func check(
    _ end: SuddenEnd, _ program: Program, _ call: Traced.Call, _ fate: String
  ) throws {
    let copy = try Program(copying: program)
    defer { try? copy.remove() }
    let before = try Set(program.titles())
    let words = SuddenEnd.words(end.doomed, in: copy)
    let code = try Traced(program: copy).run(words, meeting: call, with: fate)
    let place = "\(end) \(fate) at \(call.name) \(call.number), ended with \(code)"
    let titles = try copy.titles()
    let expected = before.union(code == 0 ? end.acknowledges : [])
    #expect(Set(titles).isSuperset(of: expected), "\(place)")
    #expect(titles.count == Set(titles).count, "\(place)")
    #expect(try copy.run("add", "todo", "after").code == 0, "\(place)")
    #expect(try copy.run("verify").code == 0, "\(place)")
    #expect(try Set(copy.titles()).isSuperset(of: expected.union(["after"])), "\(place)")
  }
}
