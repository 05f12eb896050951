import Daybook
import Journaling
import Platform
import ReadModel
import SimulatedPlatform
import Testing
import Verifying

/// Something done to a book, to be cut short at every call of the disk that it makes.
struct Ordeal: CustomTestStringConvertible, Sendable {
  let testDescription: String
  /// What is shown when it is done, beside what was shown before.
  let adds: Set<String>
  /// What is no more shown when it is done.
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

  /// What is done to the disk at one of its calls.
  enum Blow: CustomTestStringConvertible, CaseIterable, Sendable {
    case powerCut, kill, noSpace, brokenOnce

    var testDescription: String { "\(self)" }
  }

  /// Deals the blow at each call that changes something, once each.
  ///
  /// What can be done again is done once more after each of them.
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

  /// Whether the act said that it was done.
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

  /// The names of all that is shown.
  static func titles(_ book: Book?) throws -> Set<String> {
    guard let view = try book?.view() else { return [] }
    return Set(
      try view.lists.lists().compactMap(\.name) + view.birthdays.birthdays().compactMap(\.firstName)
    )
  }
}
