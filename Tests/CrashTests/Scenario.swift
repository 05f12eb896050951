import Bytes
import Crypto
import Journaling
import Platform
import SimulatedPlatform
import Testing

/// Something a process does to a journal, in whose course anything may go wrong.
///
/// To add one, write a function that does it and calls ``Record/acknowledge()`` whenever what the journal
/// holds by then must last.
struct Scenario: Sendable, CustomTestStringConvertible {
  let name: String
  /// Makes what is there before; nothing goes wrong yet.
  var prepare: @Sendable (inout Journal, Desk) throws -> Void = Scenario.sealedFileAndTail
  /// Whether it fails calls itself, so that other failures would make it write something else.
  var isFailing = false
  /// At how many places each recovery is cut short in turn.
  var recoveryCuts = 8
  /// What the next process does once more, as the book would that still knows of it.
  var repeats: @Sendable (inout Journal) throws -> Void = { _ in }
  let perform: @Sendable (inout Journal, inout Record) throws -> Void

  var testDescription: String { name }

  /// A device whose disk keeps what was there before, come what may.
  func prepared() throws -> Desk {
    let desk = try Desk()
    var journal = try desk.journal(on: desk.disk)
    try prepare(&journal, desk)
    desk.disk.crash(keeping: .everything)
    return desk
  }
}

/// What a journal has promised in the course of a scenario.
struct Record {
  struct Mark {
    /// How many calls the disk had taken by then.
    var calls: Int
    var contents: Contents
  }

  let desk: Desk
  let disk: SimulatedDisk
  private(set) var marks: [Mark]
  /// What was seen in between and never acknowledged.
  private(set) var glimpses: [Contents] = []

  init(_ desk: Desk, on disk: SimulatedDisk) throws {
    (self.desk, self.disk) = (desk, disk)
    let contents = try Contents(of: desk.journal(on: disk))
    marks = [Mark(calls: disk.calls.mutating, contents: contents)]
  }

  /// Notes that what the journal holds now must last from now on.
  mutating func acknowledge() throws {
    marks.append(Mark(calls: disk.calls.mutating, contents: try visible()))
  }

  /// Notes that what the journal holds now may be found later, and may not.
  mutating func glimpse() throws { glimpses.append(try visible()) }

  private func visible() throws -> Contents {
    // Looking at it is none of the calls that may fail.
    let copy = disk.copy()
    copy.clearWeather()
    return try Contents(of: desk.journal(on: copy))
  }

  /// Every form in which events were there in the course of it.
  var forms: Forms { Forms(marks.map(\.contents) + glimpses) }

  /// Appends to the device's log, and notes that it was acknowledged.
  mutating func append(_ commands: Command..., to journal: inout Journal) throws {
    try desk.append(commands, to: &journal)
    try acknowledge()
  }

  /// The journal as the next process finds it when this one ends now.
  mutating func restarted() throws -> Journal {
    disk.kill()
    var journal = try desk.journal(on: disk, seed: 3)
    _ = try journal.recover()
    return journal
  }
}
