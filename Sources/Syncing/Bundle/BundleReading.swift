import Bytes

/// A bundle that is being read into a store.
struct BundleReading: ~Copyable {
  private let holder: any Holder
  /// Whether each frame is stored before the next one is read, so that a refused frame does not affect others.
  private let isFrameByFrame: Bool
  private var intake: Intake
  private var hello: Hello?

  init(_ holder: any Holder, frameByFrame: Bool = false) {
    (self.holder, isFrameByFrame) = (holder, frameByFrame)
    intake = Intake(holder)
  }

  mutating func take(_ message: Message, at offset: Int) throws(SyncError) {
    switch message {
    case .hello(let theirs) where hello == nil:
      try holder.hello.check(theirs)
      hello = theirs
      holder.hear(of: theirs.frontier)
    case .frame(let log, let frame) where hello != nil && isFrameByFrame:
      try intake.takeAlone(frame, of: log)
    case .frame(let log, let frame) where hello != nil: try intake.take(frame, of: log)
    case .end where hello != nil: break
    default: throw .unexpected(at: offset)
    }
  }

  mutating func salvage() throws(SyncError) { try intake.salvage() }

  mutating func finish(_ problems: [SyncProblem]) throws(SyncError) -> Bundle.Report {
    try intake.commit()
    return Bundle.Report(
      hello: hello, received: intake.received, frontier: intake.frontier,
      problems: problems + intake.problems)
  }
}
