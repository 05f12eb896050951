import Glibc
import Platform

// Sending and receiving over a stream socket.

extension Socket {
  func receive(
    upTo count: Int, patienceMilliseconds: Int
  ) throws(NetworkError) -> [UInt8] {
    precondition(count > 0, "an empty result would look like a closed line")
    let received = try waiting(for: POLLIN, patienceMilliseconds: patienceMilliseconds) {
      (descriptor) throws(Errno) in
      var bytes = [UInt8](repeating: 0, count: count)
      let arrived = try answer { unsafe recv(descriptor, &bytes, count, 0) }
      bytes.removeLast(count - arrived)
      return bytes
    }
    // Closing this end ends the wait with an empty result, just as if the peer had closed the line.
    if received.isEmpty, isClosed { throw .cut }
    return received
  }

  func send(_ bytes: [UInt8], patienceMilliseconds: Int) throws(NetworkError) {
    var sent = 0
    while sent < bytes.count {
      // The patience starts again after each part that is sent, because a slow line is not a broken one.
      sent += try waiting(for: POLLOUT, patienceMilliseconds: patienceMilliseconds) {
        (descriptor) throws(Errno) in
        try unsafe bytes.span.withUnsafeBytes { (buffer) throws(Errno) in
          let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[sent...])
          return try answer {
            unsafe Glibc.send(
              descriptor, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
          }
        }
      }
    }
  }

  func offer(_ bytes: ArraySlice<UInt8>) throws(NetworkError) -> Int {
    guard !bytes.isEmpty else { return 0 }
    return try lend { (descriptor) throws(Errno) in
      do throws(Errno) {
        return try answer {
          unsafe bytes.withUnsafeBytes { buffer in
            unsafe Glibc.send(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_NOSIGNAL))
          }
        }
      } catch {
        if error.code == EAGAIN { return 0 }
        throw error
      }
    }
  }
}
