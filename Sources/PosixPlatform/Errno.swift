import Glibc
import Platform

/// A failed system call's reason, before it is told in the words of a disk or a network.
struct Errno: Error {
  let code: Int32
}

/// Makes a system call until no signal interrupts it: the one place that reads `errno`.
func answer<Number: SignedInteger>(_ call: () -> Number) throws(Errno) -> Number {
  while true {
    let number = call()
    if number != -1 { return number }
    let code = errno
    if code != EINTR { throw Errno(code: code) }
  }
}

extension DiskFault {
  init(_ failure: Errno) {
    switch failure.code {
    case ENOENT: self = .notFound
    case EEXIST: self = .exists
    case EACCES, EPERM: self = .permission
    // EFBIG tells of the user's limit on the size of files, too.
    case ENOSPC, EDQUOT, EFBIG: self = .full
    case EROFS: self = .readOnly
    case EIO: self = .io
    case ENOTDIR: self = .notADirectory
    case EISDIR: self = .isADirectory
    case EMFILE, ENFILE: self = .tooManyOpen
    case ENOTEMPTY: self = .notEmpty
    default: self = .other(failure.code)
    }
  }
}

extension NetworkError {
  init(_ failure: Errno, at address: String) {
    switch failure.code {
    case ECONNREFUSED: self = .refused(address)
    case ENETUNREACH, EHOSTUNREACH, ENETDOWN, EHOSTDOWN, EADDRNOTAVAIL: self = .unreachable
    case EADDRINUSE: self = .portInUse
    case ETIMEDOUT: self = .timedOut
    case ECONNRESET, EPIPE, ECONNABORTED, ENOTCONN, EBADF: self = .cut
    case EACCES, EPERM: self = .notPermitted
    default: self = .other(failure.code)
    }
  }
}
