import Platform

/// Detects that other processes may have committed events, and remembers which events were announced to all peers.
struct CommitWatch {
  private let monitor: ChangeMonitor
  /// The state of the folders of the logs when everything in them had been announced to all peers.
  private var announced: [String]?
  /// Whether there may be committed events that have not been announced yet.
  private(set) var mustLook = false
  /// The time of the next attempt after a failure.
  private var nextLook: Int64?

  /// The delay before retrying after a failure, in milliseconds.
  private static let pauseMilliseconds: Int64 = 1_000

  init(on core: BookCore) throws(DaybookError) { monitor = try ChangeMonitor(on: core) }

  /// A watch that ends its wait when something may have been committed.
  var bell: any Watch { monitor.bell }

  /// Checks, without waiting, whether something may have been committed.
  mutating func check() throws(DaybookError) {
    if try monitor.wait(patienceMilliseconds: 0) { mustLook = true }
  }

  /// Requests a check, because this process itself has committed something.
  mutating func demandLook() { mustLook = true }

  /// Whether the pause after the last failure, if there was one, is over.
  func mayLook(at now: Int64) -> Bool { now >= nextLook ?? 0 }

  mutating func noteLooked() { (mustLook, nextLook) = (false, nil) }

  /// Whether the last check failed.
  var hasFailed: Bool { nextLook != nil }

  mutating func noteFailure(at now: Int64) { nextLook = now + Self.pauseMilliseconds }

  func hasAnnounced(_ state: [String]?) -> Bool { state == announced }

  /// Records that all events found when the logs were last read have been announced to all peers.
  mutating func noteAnnounced(_ state: [String]?) { announced = state }
}
