import Bytes
import Crypto
import Journaling
import Platform
import SimulatedPlatform
import Testing

/// An operation on a journal during which any call may fail.
///
/// To add a scenario, write a function that performs the operation and calls ``Record/acknowledge()`` whenever the
/// current contents of the journal must be durable.
struct Scenario: Sendable, CustomTestStringConvertible {
  let name: String
  /// Creates the initial state, without failures.
  var prepare: @Sendable (inout Journal, Desk) throws -> Void = Scenario.sealedFileAndTail
  /// Whether the scenario itself makes calls fail.
  ///
  /// In that case, further failures would change the writes of the scenario.
  var isFailing = false
  /// The number of steps of each recovery at which the power is cut in turn.
  var recoveryCuts = 8
  /// Work that the next process repeats, as a book does.
  var repeats: @Sendable (inout Journal) throws -> Void = { _ in }
  let perform: @Sendable (inout Journal, inout Record) throws -> Void

  var testDescription: String { name }

  /// A device on whose disk the initial state is durable.
  func prepared() throws -> Desk {
    let desk = try Desk()
    var journal = try desk.journal(on: desk.disk)
    try prepare(&journal, desk)
    desk.disk.crash(keeping: .everything)
    return desk
  }
}

/// The contents that a journal acknowledged during a scenario.
struct Record {
  struct Mark {
    /// The number of mutating disk calls before the acknowledgement.
    var calls: Int
    var contents: Contents
  }

  let desk: Desk
  let disk: SimulatedDisk
  private(set) var marks: [Mark]
  /// Contents that were visible during the scenario but never acknowledged.
  private(set) var glimpses: [Contents] = []

  init(_ desk: Desk, on disk: SimulatedDisk) throws {
    (self.desk, self.disk) = (desk, disk)
    let contents = try Contents(of: desk.journal(on: disk))
    marks = [Mark(calls: disk.calls.mutating, contents: contents)]
  }

  /// Records that the current contents must be present from now on.
  mutating func acknowledge() throws {
    marks.append(Mark(calls: disk.calls.mutating, contents: try visible()))
  }

  /// Records that the current contents may be present later.
  mutating func glimpse() throws { glimpses.append(try visible()) }

  private func visible() throws -> Contents {
    // Reading the contents is not one of the calls that may fail.
    let copy = disk.copy()
    copy.clearWeather()
    return try Contents(of: desk.journal(on: copy))
  }

  /// Every form in which events were visible during the scenario.
  var forms: Forms { Forms(marks.map(\.contents) + glimpses) }

  /// Appends to the device's log, and records that the append was acknowledged.
  mutating func append(_ commands: Command..., to journal: inout Journal) throws {
    try desk.append(commands, to: &journal)
    try acknowledge()
  }

  /// Ends this process, and opens the journal in a new process.
  mutating func restarted() throws -> Journal {
    disk.kill()
    var journal = try desk.journal(on: disk, seed: 3)
    _ = try journal.recover()
    return journal
  }
}
