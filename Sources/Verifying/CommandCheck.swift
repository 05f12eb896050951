/// Checks that each command of a frame is complete and within the limits.
struct CommandCheck {
  private static let eventLimit: UInt64 = 16_384
  private static let byteLimit = 640 << 10

  /// The number of events that remain in the current command.
  private var left: UInt64 = 0
  private var bytes = 0

  /// Whether the last event ended its command.
  var isBetweenCommands: Bool { left == 0 }

  /// Adds an event to its command.
  ///
  /// `more` is the number of events that follow in the command, if the event states this number.
  mutating func add(
    _ more: UInt64?, size: Int, sequence: UInt64, _ faults: inout FaultCollector
  ) {
    if left > 0 {
      if more != nil { faults.report(.command, sequence: sequence) }
      left -= 1
      bytes += size
    } else {
      left = more ?? 0
      bytes = size
      if left >= Self.eventLimit { faults.report(.command, sequence: sequence) }
    }
    if bytes > Self.byteLimit {
      faults.report(.command, sequence: sequence)
      // Each oversized command is reported only once.
      bytes = .min / 2
    }
  }
}
