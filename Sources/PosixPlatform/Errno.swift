import Glibc
import Platform

/// The error number of a failed system call, before it is converted to a disk or network error.
struct Errno: Error {
  let code: Int32
}

/// Makes a system call, and repeats the call while signals interrupt it.
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
    // EFBIG is also reported if the user's file size limit is reached.
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
