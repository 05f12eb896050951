import Glibc
package import Platform
import Synchronization

extension PosixDisk {
  package func watch(_ directory: Path) throws(DiskError) -> any Watch {
    // inotify_add_watch follows links, which a confined disk must not do.
    guard confinement == nil else { throw DiskError(.watch, directory, .unsupported) }
    return try naming(.watch, directory) { () throws(Errno) in try PosixWatch(directory) }
  }
}

/// A watch on a directory, based on inotify.
private final class PosixWatch: Watch, Described {
  private static let changes =
    IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_CLOSE_WRITE

  private let path: Path
  private let queue: Int32
  /// A socket pair that ends a wait when it contains a byte.
  private let bell: (ear: Int32, rope: Int32)
  private let isEnded = Atomic(false)

  init(_ path: Path) throws(Errno) {
    self.path = path
    let queue = try answer { inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK)) }
    bell = try closingOnFailure(queue) { () throws(Errno) in
      let mask = UInt32(Self.changes | IN_DELETE_SELF | IN_ONLYDIR)
      _ = try answer { unsafe inotify_add_watch(queue, path.string, mask) }
      var ends: [Int32] = [-1, -1]
      let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
      _ = try answer { unsafe socketpair(AF_UNIX, kind, 0, &ends) }
      return (ends[0], ends[1])
    }
    self.queue = queue
  }

  deinit { for descriptor in [queue, bell.ear, bell.rope] { _ = close(descriptor) } }

  func wake() {
    var byte: UInt8 = 0
    // If the socket is full, the waiting call wakes in any case.
    _ = unsafe write(bell.rope, &byte, 1)
  }

  func lend<Value>(
    to call: (Int32) throws(Errno) -> Value
  ) throws(NetworkError) -> Value {
    do throws(Errno) { return try call(queue) } catch { throw NetworkError(error, at: path.string) }
  }

  func wait(patienceMilliseconds: Int?) throws(DiskError) -> WatchNews {
    try naming(.watch, path) { () throws(Errno) in
      // The kernel reports the removal of the directory only once.
      if isEnded.load(ordering: .relaxed) { throw Errno(code: ENOENT) }
      try sleep(patienceMilliseconds)
      var news = News()
      try news.read(from: queue)
      if news.isEnded { isEnded.store(true, ordering: .relaxed) }
      if news.told == .nothing, news.isEnded { throw Errno(code: ENOENT) }
      return news.told
    }
  }

  /// Waits until there may be an event, and empties the bell.
  private func sleep(_ patience: Int?) throws(Errno) {
    let limit = patience.map { Int32(clamping: max($0, 0)) } ?? -1
    var interests = [
      pollfd(fd: queue, events: Int16(POLLIN), revents: 0),
      pollfd(fd: bell.ear, events: Int16(POLLIN), revents: 0),
    ]
    if unsafe poll(&interests, 2, limit) < 0 {
      // After a signal, the wait is not continued, because the signal may be meant to wake the caller.
      guard errno == EINTR else { throw Errno(code: errno) }
      return
    }
    guard interests[1].revents != 0 else { return }
    var rung = [UInt8](repeating: 0, count: 64)
    while unsafe Glibc.read(bell.ear, &rung, rung.count) > 0 {}
  }
}

/// The changes read from an inotify queue.
private struct News {
  private var names: Set<Path> = []
  private var isLost = false
  private(set) var isEnded = false

  var told: WatchNews {
    if isLost { return .anything }
    // Paths are compared and sorted by their bytes, like names on a disk.
    return names.isEmpty ? .nothing : .entries(names.sorted().map(\.string))
  }

  /// Reads all pending events.
  mutating func read(from queue: Int32) throws(Errno) {
    // The buffer has space for many events, each of which takes 16 bytes plus the length of its name.
    var buffer = [UInt8](repeating: 0, count: 1 << 14)
    while true {
      let count: Int
      do throws(Errno) {
        count = try answer { unsafe Glibc.read(queue, &buffer, buffer.count) }
      } catch {
        if error.code == EAGAIN { return }
        throw error
      }
      guard count > 0 else { return }
      take(buffer[..<count])
    }
  }

  /// Parses events, each of which consists of watch, mask, cookie, length of the name, and the name padded with zeros.
  private mutating func take(_ bytes: ArraySlice<UInt8>) {
    var rest = bytes
    while rest.count >= 16 {
      let mask = Self.word(at: rest.startIndex + 4, in: rest)
      let length = Int(Self.word(at: rest.startIndex + 12, in: rest))
      let name = rest.dropFirst(16).prefix(length).prefix { $0 != 0 }
      if mask & UInt32(IN_Q_OVERFLOW) != 0 { isLost = true }
      if mask & UInt32(IN_IGNORED | IN_DELETE_SELF) != 0 { isEnded = true }
      if !name.isEmpty { names.insert(Path(String(decoding: name, as: UTF8.self))) }
      rest = rest.dropFirst(16 + length)
    }
  }

  private static func word(at place: Int, in bytes: ArraySlice<UInt8>) -> UInt32 {
    // The kernel uses this machine's byte order, which is little-endian on every supported machine.
    (0..<4).reduce(0) { $0 | UInt32(bytes[place + $1]) << (8 * UInt32($1)) }
  }
}
