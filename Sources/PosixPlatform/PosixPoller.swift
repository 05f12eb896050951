internal import CLinux
import Glibc
import Platform
import Synchronization

/// A subject with a descriptor on which the kernel reports readiness.
protocol Described: Pollable {
  /// Calls a function with the descriptor, which stays open during the call.
  func lend<Value>(to call: (Int32) throws(Errno) -> Value) throws(NetworkError) -> Value

  /// The socket to write to; nil if the descriptor serves both directions.
  var output: Socket? { get }
}

extension Described {
  var output: Socket? { nil }
}

/// A poller that waits with epoll, whose cost does not increase with the number of idle lines.
final class PosixPoller: Poller {
  private let queue: Int32
  /// An eventfd whose value ends a wait if it is above zero.
  private let bell: Int32
  private let subjects = Mutex<[UInt64: any Described]>([:])

  /// The bell's token, which no subject may use.
  private static let bellToken = UInt64.max
  /// The maximum number of events that one call returns.
  private static let most = 256

  init() throws(Errno) {
    let queue = try answer { epoll_create1(Int32(EPOLL_CLOEXEC)) }
    bell = try closingOnFailure(queue) { () throws(Errno) in
      let kind = Int32(EFD_CLOEXEC | EFD_NONBLOCK)
      let bell = try answer { eventfd(0, kind) }
      try closingOnFailure(bell) { () throws(Errno) in
        try Self.control(queue, EPOLL_CTL_ADD, bell, Self.bellToken, .reading)
      }
      return bell
    }
    self.queue = queue
  }

  deinit { for descriptor in [queue, bell] { _ = close(descriptor) } }

  func canWait(for subject: any Pollable) -> Bool { subject is any Described }

  func add(
    _ subject: any Pollable, as token: UInt64, for interest: Interest
  ) throws(NetworkError) {
    guard let subject = subject as? any Described else {
      preconditionFailure("a poller waits only for subjects of its own platform")
    }
    let isFree = subjects.withLock { $0[token] == nil } && token != Self.bellToken
    precondition(isFree, "each subject has its own token")
    try control(EPOLL_CTL_ADD, subject, token, interest)
    subjects.withLock { $0[token] = subject }
  }

  func change(_ token: UInt64, to interest: Interest) throws(NetworkError) {
    guard let subject = subjects.withLock({ $0[token] }) else { return }
    try control(EPOLL_CTL_MOD, subject, token, interest)
  }

  func remove(_ token: UInt64) {
    guard let subject = subjects.withLock({ $0.removeValue(forKey: token) }) else { return }
    // If the subject has been closed in the meantime, the kernel has already removed it.
    try? control(EPOLL_CTL_DEL, subject, token, [])
  }

  func wait(patienceMilliseconds: Int?) throws(NetworkError) -> [Readiness] {
    let limit = patienceMilliseconds.map { Int32(clamping: max($0, 0)) } ?? -1
    var events = unsafe [epoll_event](repeating: epoll_event(), count: Self.most)
    let count = unsafe epoll_wait(queue, &events, Int32(events.count), limit)
    if count < 0 {
      // After a signal, the wait is not continued, because the signal may be meant to wake the caller.
      guard errno == EINTR else { throw NetworkError(Errno(code: errno), at: "poller") }
      return []
    }
    return unsafe events.prefix(Int(count)).compactMap { unsafe readiness($0) }
  }

  func wake() {
    // If the counter is full, the waiting call wakes in any case.
    _ = eventfd_write(bell, 1)
  }

  private func readiness(_ event: epoll_event) -> Readiness? {
    let token = unsafe event.data.u64
    if token == Self.bellToken {
      var rung: eventfd_t = 0
      _ = unsafe eventfd_read(bell, &rung)
      return nil
    }
    let happened = unsafe event.events
    let isBroken = happened & (EPOLLERR.rawValue | EPOLLHUP.rawValue) != 0
    var interest: Interest = isBroken ? [.reading, .writing] : []
    if happened & EPOLLIN.rawValue != 0 { interest.insert(.reading) }
    if happened & EPOLLOUT.rawValue != 0 { interest.insert(.writing) }
    return Readiness(token: token, interest: interest)
  }

  /// Changes what the kernel watches on a subject, which may have two descriptors.
  private func control(
    _ operation: Int32, _ subject: any Described, _ token: UInt64, _ interest: Interest
  ) throws(NetworkError) {
    let output = subject.output
    try subject.lend { (descriptor) throws(Errno) in
      let meant = output == nil ? interest : interest.intersection(.reading)
      try Self.control(queue, operation, descriptor, token, meant)
    }
    try output?.lend { (descriptor) throws(Errno) in
      let meant = interest.intersection(.writing)
      try Self.control(queue, operation, descriptor, token, meant)
    }
  }

  private static func control(
    _ queue: Int32, _ operation: Int32, _ descriptor: Int32, _ token: UInt64,
    _ interest: Interest
  ) throws(Errno) {
    var event = unsafe epoll_event()
    if interest.contains(.reading) { unsafe event.events |= EPOLLIN.rawValue }
    if interest.contains(.writing) { unsafe event.events |= EPOLLOUT.rawValue }
    unsafe event.data.u64 = token
    _ = try answer { unsafe epoll_ctl(queue, operation, descriptor, &event) }
  }
}
