import Glibc
import Platform

/// Runs a function, and closes the descriptor if it throws.
func closingOnFailure<Value>(
  _ descriptor: Int32, _ body: () throws(Errno) -> Value
) throws(Errno) -> Value {
  do throws(Errno) { return try body() } catch {
    _ = close(descriptor)
    throw error
  }
}

/// Throws an error unless the descriptor refers to a plain file.
func requirePlainFile(_ descriptor: Int32) throws(Errno) {
  var status = stat()
  _ = try answer { unsafe fstat(descriptor, &status) }
  switch status.st_mode & S_IFMT {
  case S_IFREG: return
  case S_IFDIR: throw Errno(code: EISDIR)
  default: throw Errno(code: EINVAL)
  }
}

/// Reads `count` bytes, or fewer at the end of the file.
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

/// Takes the lock if it is free, and tries to write this process's id to the file.
///
/// - Returns: The previous content of the file, or nil if another holder has the lock.
func takeLock(_ descriptor: Int32) throws(Errno) -> [UInt8]? {
  do throws(Errno) {
    _ = try answer { flock(descriptor, LOCK_EX | LOCK_NB) }
  } catch {
    if error.code == EWOULDBLOCK { return nil }
    throw error
  }
  // If the file cannot be read, it is treated as empty.
  let found = (try? readFully(descriptor, at: 0, count: HeldLock.mostFound)) ?? []
  sign(descriptor)
  return found
}

/// Writes the holder's id to the lock's file; the id is used only in messages, so a failure is ignored.
private func sign(_ descriptor: Int32) {
  let line = Array("\(getpid())\n".utf8)
  do throws(Errno) {
    // The id is written before the file is truncated, to reuse the space of the previous holder's id.
    try writeFully(descriptor, line, at: 0)
    _ = try answer { ftruncate(descriptor, line.count) }
  } catch {
    // Having no id is better than having the id of the previous holder. If truncating also fails, the id in the file is
    // unreliable.
    _ = ftruncate(descriptor, 0)
  }
}
