import Daybook
import Journaling
import Platform
import ReadModel
import SimulatedPlatform
import Testing
import Verifying

/// An action on a book that is interrupted at every call to the disk.
struct Ordeal: CustomTestStringConvertible, Sendable {
  let testDescription: String
  /// The titles that the action adds.
  let adds: Set<String>
  /// The titles that the action removes.
  let removes: Set<String>
  let prepare: @Sendable (Desk) throws -> Void
  let act: @Sendable (Machine) throws -> Void

  init(
    _ name: String, adds: Set<String> = [], removes: Set<String> = [],
    prepare: @escaping @Sendable (Desk) throws -> Void,
    act: @escaping @Sendable (Machine) throws -> Void
  ) {
    testDescription = name
    (self.adds, self.removes) = (adds, removes)
    (self.prepare, self.act) = (prepare, act)
  }

  /// The failure of the disk at one of its calls.
  enum Blow: CustomTestStringConvertible, CaseIterable, Sendable {
    case powerCut, kill, noSpace, brokenOnce

    var testDescription: String { "\(self)" }
  }

  /// Makes each mutating call of the action fail once.
  ///
  /// An action that can be repeated is repeated after each failure.
  func suffer(_ blow: Blow, seed: UInt64, again canRepeat: Bool = false) throws {
    let desk = try Desk(seed: seed)
    try prepare(desk)
    let before = try Self.titles(try? desk.open())
    let whole = machine(on: desk.simulated.disk.copy(), desk)
    let start = whole.disk.calls.mutating
    try act(whole.machine)
    let after = before.union(adds).subtracting(removes)
    #expect(try Self.titles(try open(on: whole.machine)) == after)
    let count = whole.disk.calls.mutating - start
    try #require(count > 0)
    for number in 1...count {
      let struck = machine(on: desk.simulated.disk.copy(), desk)
      let isDone = strike(struck, blow, at: number)
      if canRepeat, !isDone { try act(struck.machine) }
      let outcomes = isDone ? [after] : [before, after]
      try survive(on: struck.machine, outcomes, "call \(number) of \(count)")
    }
  }

  private typealias Struck = (disk: SimulatedDisk, machine: Machine)

  private func machine(on disk: SimulatedDisk, _ desk: Desk) -> Struck {
    let machine = Machine(
      disk: disk, timekeeper: desk.simulated.timekeeper, dice: Seeded(seed: 7_777),
      network: desk.simulated.network)
    return (disk, machine)
  }

  /// Whether the action reported success.
  private func strike(_ struck: Struck, _ blow: Blow, at number: Int) -> Bool {
    let isForGood = blow == .powerCut || blow == .kill
    struck.disk.failCall(
      number, with: blow == .noSpace ? .full : .io, isForGood ? .fromThenOn : .once)
    defer {
      struck.disk.clearWeather()
      switch blow {
      case .powerCut: struck.disk.crash(keeping: .nothing)
      case .kill: struck.disk.kill()
      case .noSpace, .brokenOnce: break
      }
    }
    do {
      try act(struck.machine)
      return true
    } catch {
      return false
    }
  }

  private func survive(
    on machine: Machine, _ outcomes: [Set<String>], _ place: String
  ) throws {
    if outcomes.contains([]), (try? open(on: machine)) == nil {
      // There was no book before, and there is none now.
      return try act(machine)
    }
    let found = try Self.titles(try open(on: machine))
    #expect(outcomes.contains(found), "\(found.symmetricDifference(outcomes[0])) at \(place)")
    let book = try open(on: machine)
    _ = try book.commands.perform(.addList(name: "next", colour: nil))
    #expect(try Self.titles(book) == found.union(["next"]), "\(place)")
    #expect(try Self.titles(try open(on: machine)) == found.union(["next"]), "\(place)")
    #expect(try book.verifier.verify().faults == [], "\(place)")
  }

  private func open(on machine: Machine) throws -> Book {
    try Book(at: Desk.folder, on: machine, view: .memory)
  }

  /// The names of all lists and birthdays.
  static func titles(_ book: Book?) throws -> Set<String> {
    guard let view = try book?.view() else { return [] }
    return Set(
      try view.lists.lists().compactMap(\.name) + view.birthdays.birthdays().compactMap(\.firstName)
    )
  }
}
