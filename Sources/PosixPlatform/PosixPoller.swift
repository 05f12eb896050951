internal import CLinux
import Glibc
import Platform
import Synchronization

/// Something that the kernel knows by a descriptor, and tells of when it is ready.
protocol Described: Pollable {
  /// Lends the descriptor to a call, at whose end it is still the same file.
  func lend<Value>(to call: (Int32) throws(Errno) -> Value) throws(NetworkError) -> Value
}

/// Waits by the kernel's epoll: however many lines are quiet, none of them is looked at.
final class PosixPoller: Poller {
  private let queue: Int32
  /// A counter in the kernel: more than nothing in it ends a wait.
  private let bell: Int32
  private let subjects = Mutex<[UInt64: any Described]>([:])

  /// The token of the bell, which nobody else may use.
  private static let bellToken = UInt64.max
  /// How much is told by one call at most.
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
      preconditionFailure("a poller waits for what is of its own platform")
    }
    let isFree = subjects.withLock { $0[token] == nil } && token != Self.bellToken
    precondition(isFree, "each has a token of its own")
    try subject.lend { (descriptor) throws(Errno) in
      try Self.control(queue, EPOLL_CTL_ADD, descriptor, token, interest)
    }
    subjects.withLock { $0[token] = subject }
  }

  func change(_ token: UInt64, to interest: Interest) throws(NetworkError) {
    guard let subject = subjects.withLock({ $0[token] }) else { return }
    try subject.lend { (descriptor) throws(Errno) in
      try Self.control(queue, EPOLL_CTL_MOD, descriptor, token, interest)
    }
  }

  func remove(_ token: UInt64) {
    guard let subject = subjects.withLock({ $0.removeValue(forKey: token) }) else { return }
    // One that was closed meanwhile is forgotten by the kernel already.
    try? subject.lend { (descriptor) throws(Errno) in
      try Self.control(queue, EPOLL_CTL_DEL, descriptor, token, [])
    }
  }

  func wait(patienceMilliseconds: Int?) throws(NetworkError) -> [Readiness] {
    let limit = patienceMilliseconds.map { Int32(clamping: max($0, 0)) } ?? -1
    var events = unsafe [epoll_event](repeating: epoll_event(), count: Self.most)
    let count = unsafe epoll_wait(queue, &events, Int32(events.count), limit)
    if count < 0 {
      // Not asked again after a signal: that may be what the caller is to be woken by.
      guard errno == EINTR else { throw NetworkError(Errno(code: errno), at: "poller") }
      return []
    }
    return unsafe events.prefix(Int(count)).compactMap { unsafe readiness($0) }
  }

  func wake() {
    // A counter that is full wakes whoever waits just as well.
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
