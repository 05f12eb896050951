import Glibc
import Platform

/// Hands a descriptor to a step that may fail, and closes it then.
func closingOnFailure<Value>(
  _ descriptor: Int32, _ body: () throws(Errno) -> Value
) throws(Errno) -> Value {
  do throws(Errno) { return try body() } catch {
    _ = close(descriptor)
    throw error
  }
}

/// Refuses directories, pipes and devices.
func requirePlainFile(_ descriptor: Int32) throws(Errno) {
  var status = stat()
  _ = try answer { unsafe fstat(descriptor, &status) }
  switch status.st_mode & S_IFMT {
  case S_IFREG: return
  case S_IFDIR: throw Errno(code: EISDIR)
  default: throw Errno(code: EINVAL)
  }
}

/// Reads until there is enough or the file ends.
func readFully(_ descriptor: Int32, at offset: Int, count: Int) throws(Errno) -> [UInt8] {
  try [UInt8](capacity: count) { (output: inout OutputSpan<UInt8>) throws(Errno) in
    while output.count < count {
      let position = offset + output.count
      let step = try unsafe output.withUnsafeMutableBufferPointer {
        (buffer, filled) throws(Errno) in
        guard let start = buffer.baseAddress else { return 0 }
        let step = try answer {
          unsafe pread(descriptor, start + filled, count - filled, position)
        }
        filled += step
        return step
      }
      if step == 0 { return }
    }
  }
}

/// Writes until everything is written.
func writeFully(_ descriptor: Int32, _ bytes: [UInt8], at offset: Int) throws(Errno) {
  try unsafe bytes.span.withUnsafeBytes { (buffer) throws(Errno) in
    var written = 0
    while written < buffer.count {
      guard let start = buffer.baseAddress else { return }
      written += try answer {
        unsafe pwrite(descriptor, start + written, buffer.count - written, offset + written)
      }
    }
  }
}

/// Takes the lock if it is free, and signs it with our process number where there is room.
///
/// - Returns: What the file told before, or nil while another has the lock.
func takeLock(_ descriptor: Int32) throws(Errno) -> [UInt8]? {
  do throws(Errno) {
    _ = try answer { flock(descriptor, LOCK_EX | LOCK_NB) }
  } catch {
    if error.code == EWOULDBLOCK { return nil }
    throw error
  }
  // What cannot be read tells nothing.
  let found = (try? readFully(descriptor, at: 0, count: HeldLock.mostFound)) ?? []
  sign(descriptor)
  return found
}

/// Says in a lock's file who holds it: for a message alone, so it may fail, on a full disk above all.
private func sign(_ descriptor: Int32) {
  let line = Array("\(getpid())\n".utf8)
  do throws(Errno) {
    // The room that the last holder's name takes is not given up before ours is in it.
    try writeFully(descriptor, line, at: 0)
    _ = try answer { ftruncate(descriptor, line.count) }
  } catch {
    // Nobody is better than whoever held it last; where even that fails, the name in it is a hint at best.
    _ = ftruncate(descriptor, 0)
  }
}
