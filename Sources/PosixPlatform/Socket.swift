import Glibc
import Platform
import Synchronization

/// A socket that another thread may close while calls wait on it.
final class Socket: Sendable {
  private struct State {
    var users = 0
    var isClosed = false
  }

  /// The address that appears in error messages.
  let address: String
  private let descriptor: Int32
  private let state = Mutex(State())

  /// Takes ownership of a non-blocking descriptor.
  init(_ descriptor: Int32, address: String) {
    self.descriptor = descriptor
    self.address = address
  }

  deinit { close() }

  /// Whether ``close()`` has been called.
  var isClosed: Bool { state.withLock { $0.isClosed } }

  /// Closes the socket and wakes all waiting calls.
  ///
  /// The descriptor is freed by the call that ends last.
  ///
  /// If it were freed earlier, its number could refer to another file in the middle of a call.
  func close() {
    let isUnused = state.withLock { state -> Bool? in
      if state.isClosed { return nil }
      state.isClosed = true
      return state.users == 0
    }
    guard let isUnused else { return }
    _ = shutdown(descriptor, Int32(SHUT_RDWR))
    if isUnused { _ = Glibc.close(descriptor) }
  }

  /// Repeats a call until it does not need to wait; fails if the patience ends first.
  func waiting<Value>(
    for events: Int32, patienceMilliseconds: Int, _ call: (Int32) throws(Errno) -> Value
  ) throws(NetworkError) -> Value {
    try lend { (descriptor) throws(Errno) in
      let deadline = Deadline(milliseconds: patienceMilliseconds)
      while true {
        do throws(Errno) { return try call(descriptor) } catch {
          guard error.code == EAGAIN || error.code == EINPROGRESS else { throw error }
        }
        try deadline.wait(for: events, on: descriptor)
      }
    }
  }

  /// Calls a function with the descriptor, which stays open during the call.
  func lend<Value>(
    to call: (Int32) throws(Errno) -> Value
  ) throws(NetworkError) -> Value {
    guard enter() else { throw .cut }
    defer { leave() }
    do throws(Errno) { return try call(descriptor) } catch {
      // Closing this end can cause various errors in a call, all of which are reported as `cut`.
      throw isClosed ? .cut : NetworkError(error, at: address)
    }
  }

  private func enter() -> Bool {
    state.withLock { state in
      if state.isClosed { return false }
      state.users += 1
      return true
    }
  }

  private func leave() {
    let isLast = state.withLock { state in
      state.users -= 1
      return state.isClosed && state.users == 0
    }
    if isLast { _ = Glibc.close(descriptor) }
  }
}

/// The time at which a call's patience ends.
private struct Deadline {
  private let end: Int64

  init(milliseconds: Int) {
    let patience = Int64(min(max(milliseconds, 0), Int(Int32.max)))
    end = SystemTimekeeper().monotonicMilliseconds() + patience
  }

  /// Returns when the descriptor is ready or has failed; if it has failed, the next call reports the error.
  func wait(for events: Int32, on descriptor: Int32) throws(Errno) {
    let ready = try answer {
      // The remaining time is computed again after each interruption, so that signals do not extend the wait.
      let rest = max(end - SystemTimekeeper().monotonicMilliseconds(), 0)
      var interest = pollfd(fd: descriptor, events: Int16(events), revents: 0)
      return unsafe poll(&interest, 1, Int32(rest))
    }
    if ready == 0 { throw Errno(code: ETIMEDOUT) }
  }
}
