import Foundation
import Synchronization
import Testing

/// The prepared folders of commands, and the commands' calls and file sizes without faults.
///
/// The tests of a suite share them, because each preparation runs the program many times.
final class Rehearsals: Sendable {
  @TaskLocal static var ofSuite = Rehearsals()

  struct Rehearsal: Sendable {
    let trial: Trial
    let calls: [Traced.Call]
    let sizes: [Int]
  }

  private let known = Mutex<[String: Rehearsal]>([:])

  /// Returns the rehearsal of a command; the first use prepares and runs the command.
  func rehearsal(
    of end: SuddenEnd, preparing prepare: (SuddenEnd) throws -> Program
  ) throws -> Rehearsal {
    if let rehearsal = known.withLock({ $0[end.description] }) { return rehearsal }
    let trial = try Trial(end, prepare(end))
    let (calls, sizes) = try trial.rehearse()
    let rehearsal = Rehearsal(trial: trial, calls: calls, sizes: sizes)
    known.withLock { $0[end.description] = rehearsal }
    return rehearsal
  }

  fileprivate func removeFolders() {
    known.withLock { known in
      for rehearsal in known.values { try? rehearsal.trial.program.remove() }
      known = [:]
    }
  }
}

/// Removes the folders of rehearsals after a suite.
struct SharedRehearsals: SuiteTrait, TestScoping {
  func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    let rehearsals = Rehearsals()
    defer { rehearsals.removeFolders() }
    try await Rehearsals.$ofSuite.withValue(rehearsals) { try await function() }
  }
}

extension Trait where Self == SharedRehearsals {
  /// The tests of the suite share rehearsals.
  static var sharedRehearsals: Self { Self() }
}
