import Glibc
import Platform
import Synchronization

/// A socket that may be closed from another thread while calls wait on it.
final class Socket: Sendable {
  private struct State {
    var users = 0
    var isClosed = false
  }

  /// The address messages name.
  let address: String
  private let descriptor: Int32
  private let state = Mutex(State())

  /// Takes over a descriptor that does not block.
  init(_ descriptor: Int32, address: String) {
    self.descriptor = descriptor
    self.address = address
  }

  deinit { close() }

  /// Whether this end was closed by us.
  var isClosed: Bool { state.withLock { $0.isClosed } }

  /// Wakes every waiting call; the last one out frees the descriptor.
  ///
  /// Freeing it earlier could hand its number to another file in the middle of a call.
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

  /// Tries a call until it need not wait, or nothing happened for as long as patience lasts.
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

  /// Lends the descriptor to a call, at whose end it is still the same file.
  func lend<Value>(
    to call: (Int32) throws(Errno) -> Value
  ) throws(NetworkError) -> Value {
    guard enter() else { throw .cut }
    defer { leave() }
    do throws(Errno) { return try call(descriptor) } catch {
      // Our own close looks like many things from inside a call.
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

/// The end of somebody's patience.
private struct Deadline {
  private let end: Int64

  init(milliseconds: Int) {
    let patience = Int64(min(max(milliseconds, 0), Int(Int32.max)))
    end = SystemTimekeeper().monotonicMilliseconds() + patience
  }

  /// Returns when the descriptor is ready, or has failed so that the next call says why.
  func wait(for events: Int32, on descriptor: Int32) throws(Errno) {
    let ready = try answer {
      // Computed anew after each interruption, so that signals do not lengthen the wait.
      let rest = max(end - SystemTimekeeper().monotonicMilliseconds(), 0)
      var interest = pollfd(fd: descriptor, events: Int16(events), revents: 0)
      return unsafe poll(&interest, 1, Int32(rest))
    }
    if ready == 0 { throw Errno(code: ETIMEDOUT) }
  }
}
