import Dispatch
import PosixPlatform
import Testing

/// Ends the run where a test case takes too long, counted from when its body begins.
///
/// A time limit of the testing library counts from when the case is queued: among suites that keep every
/// thread busy it runs out before the body has begun. And it cannot end a call that waits for the network.
struct TimeOfItsOwn: TestTrait, SuiteTrait, TestScoping {
  let seconds: Int

  var isRecursive: Bool { true }

  @concurrent func provideScope(
    for test: Test, testCase: Test.Case?,
    performing body: @Sendable @concurrent () async throws -> Void
  ) async throws {
    let ended = DispatchSemaphore(value: 0)
    let (name, seconds) = (test.name, seconds)
    SystemThread.start {
      let isOver = ended.wait(timeout: .now() + .seconds(seconds)) == .timedOut
      precondition(!isOver, "\(name) has not ended within \(seconds) seconds")
    }
    defer { ended.signal() }
    try await body()
  }
}

extension Trait where Self == TimeOfItsOwn {
  static func ends(withinSeconds seconds: Int) -> Self { TimeOfItsOwn(seconds: seconds) }
}
