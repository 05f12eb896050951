import Foundation
import Testing

/// Real processes that are killed at each system call in turn, or whose calls fail one at a time.
///
/// With `DAYBOOK_ALL_CALLS` in the environment, every call is tested in every way. Otherwise most calls on the view are
/// skipped, each call fails in one way, and a process is killed only at the first and last of the calls between two
/// changes of files.
@Suite(
  .enabled(if: Program.path != nil, "the program was not built beside the tests"),
  .enabled(
    if: Traced.path != nil, "strace is not installed, so no process is killed at a chosen call"),
  .serialized, .sharedRehearsals)
struct SuddenEndTests {
  static let takesAll = ProcessInfo.processInfo.environment["DAYBOOK_ALL_CALLS"] != nil

  @Test(arguments: SuddenEnd.all)
  func `Sudden end: a process killed at any call keeps acknowledged commands`(
    end: SuddenEnd
  ) async throws {
    let rehearsal = try Rehearsals.ofSuite.rehearsal(of: end, preparing: Self.prepared)
    let (trial, calls) = (rehearsal.trial, rehearsal.calls)
    #expect(calls.count > 20, "\(end): \(calls.count)")
    let runs = Self.runs(of: calls)
    let chosen = Self.chosen(runs) { $0.contains(where: \.isOfView) }.map(Self.ends(of:))
    let faults = await together(chosen.map { run in { try trial.kill(at: run) } })
    #expect(faults == [])
    let count = chosen.reduce(0) { $0 + $1.count }
    print("\(end): killed at \(count) of \(calls.count) calls")
  }

  @Test(arguments: SuddenEnd.all)
  func `Sudden end: a process whose calls fail keeps acknowledged commands`(
    end: SuddenEnd
  ) async throws {
    let rehearsal = try Rehearsals.ofSuite.rehearsal(of: end, preparing: Self.prepared)
    let (trial, calls) = (rehearsal.trial, rehearsal.calls)
    let errors = ["ENOSPC", "EIO", "EROFS"]
    let ways = errors.flatMap { [($0, false), ($0, true)] }
    let chosen = Self.chosen(calls) { $0.isOfView || !$0.changesFiles }
    let pieces = chosen.enumerated().flatMap { place, call in
      (Self.takesAll ? ways : [ways[place % ways.count]]).map { way in
        { @Sendable in try trial.refuse(call, way.0, forGood: way.1) }
      }
    }
    let faults = await together(pieces)
    #expect(faults == [])
    print("\(end): refused \(chosen.count) of \(calls.count) calls in \(pieces.count) ways")
  }

  @Test(arguments: SuddenEnd.all)
  func `Sudden end: a process with a truncated write keeps acknowledged commands`(
    end: SuddenEnd
  ) async throws {
    let rehearsal = try Rehearsals.ofSuite.rehearsal(of: end, preparing: Self.prepared)
    let (trial, sizes) = (rehearsal.trial, rehearsal.sizes)
    let faults = await together(
      sizes.flatMap { size in
        [false, true].map { isKilled in
          { @Sendable in try trial.cutShort(at: size, isKilled: isKilled) }
        }
      })
    #expect(faults == [])
    print("\(end): cut short at \(sizes.count) lengths, refused the rest and killed")
  }

  /// Returns all items, or all except most of the minor items.
  private static func chosen<Item>(
    _ items: [Item], isMinor: (Item) -> Bool
  ) -> [Item] {
    guard !takesAll else { return items }
    let minor = items.indices.filter { isMinor(items[$0]) }
    let kept = Set(stride(from: 0, to: minor.count, by: 6).map { minor[$0] })
    return items.indices.filter { !isMinor(items[$0]) || kept.contains($0) }.map { items[$0] }
  }

  /// Groups the calls into runs in which files do not change: a kill at any call of a run has the same effect.
  private static func runs(of calls: [Traced.Call]) -> [[Traced.Call]] {
    var runs: [[Traced.Call]] = [[]]
    for call in calls {
      runs[runs.count - 1].append(call)
      if call.changesFiles { runs.append([]) }
    }
    return runs.filter { !$0.isEmpty }
  }

  /// The first and last call of a run.
  ///
  /// If files change in between, the two kills leave different files.
  private static func ends(of run: [Traced.Call]) -> [Traced.Call] {
    takesAll || run.count <= 2 ? run : [run[0], run[run.count - 1]]
  }

  private static func prepared(_ end: SuddenEnd) throws -> Program {
    let program = try Program()
    try SuddenEnd.lines.write(
      to: program.folder.appending(path: "lines.jsonl"), atomically: true, encoding: .utf8)
    try FileManager.default.createDirectory(
      at: program.folder.appending(path: "shared"), withIntermediateDirectories: false)
    for words in end.before {
      let outcome = try program.run(SuddenEnd.words(words, in: program))
      // A rebuild of a damaged book exits with 3.
      let isDone = outcome.code == 0 || (end.isDamaged && outcome.code == 3)
      #expect(isDone, "\(words.map { $0.prefix(40) })")
    }
    if end.fillsTail { try fillTail(of: program) }
    return program
  }

  /// Writes until the tail is less than 3,000 bytes below the 64 KiB at which it is sealed.
  private static func fillTail(of program: Program) throws {
    var (count, size) = (14_500, 0)
    while size < 65_536 - 3_000 {
      // Each edit needs different text, because equal text would change nothing.
      count = size < 48_000 ? count - 1 : min(count, 3_000) - 1
      #expect(try program.run("edit", "first", "--note", SuddenEnd.noise(count)).code == 0)
      let logs = program.folder.appending(path: "book/logs")
      let log = try #require(FileManager.default.contentsOfDirectory(atPath: logs.path()).first)
      let tail = logs.appending(path: log).appending(path: "000000000001.gz")
      size = try #require(
        FileManager.default.attributesOfItem(atPath: tail.path())[.size] as? Int)
    }
  }
}
