import Glibc
import Platform
import Synchronization

/// The programs that this process has started and that may still be running.
final class ProgramRegistry: Sendable {
  private struct State {
    var processes: [ChildProcess] = []
    var isClosed = false
  }

  /// The programs of this computer's network, which end when this process exits, if not earlier.
  ///
  /// Otherwise, an open login would remain on the terminal and read what the user types to the next program.
  static let shared: ProgramRegistry = {
    // The handler runs wherever the process exits, but not after a fatal signal.
    atexit { ProgramRegistry.shared.endAll() }
    return ProgramRegistry()
  }()

  private let state = Mutex(State())

  /// Starts a process, and keeps it until its status has been collected.
  func start(_ start: () throws(Errno) -> ChildProcess) throws(Errno) -> ChildProcess {
    // The lock is held during the start, so that no process starts unnoticed while all processes are being ended.
    try state.withLock { (state) throws(Errno) in
      guard !state.isClosed else { throw Errno(code: ECANCELED) }
      let process = try start()
      state.processes.append(process)
      return process
    }
  }

  /// Removes a process whose status has been collected.
  func remove(_ process: ChildProcess) {
    state.withLock { state in state.processes.removeAll { $0 === process } }
  }

  /// Ends all programs, and waits for up to a few seconds until they have ended.
  ///
  /// From then on, no program can be started. A program whose line is closed is first given some time to end by itself,
  /// because it may still be sending the last bytes.
  func endAll() {
    state.withLock { $0.isClosed = true }
    for process in running where !process.isReleased { process.send(SIGTERM) }
    for signal in [SIGTERM, SIGKILL] {
      waitForAll()
      for process in running { process.send(signal) }
    }
    waitForAll()
  }

  private var running: [ChildProcess] {
    state.withLock { $0.processes }.filter { $0.end(patienceMilliseconds: 0) == nil }
  }

  /// Waits until all programs have ended, for a limited time.
  private func waitForAll() {
    let clock = SystemTimekeeper()
    let deadline = clock.monotonicMilliseconds() + Int64(ChildProcess.lastMilliseconds)
    while !running.isEmpty, clock.monotonicMilliseconds() < deadline {
      clock.pause(milliseconds: ChildProcess.lookMilliseconds)
    }
  }
}
