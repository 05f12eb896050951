package import Platform

extension DiskError {
  package var told: Told {
    if isAboutDraft {
      let fault = reason == .notFound ? "there is no such folder" : reason.text
      return Told(code, exit, "cannot write into \(path.parent.string.visible): \(fault).")
    }
    let place = path.string.isEmpty ? "a file" : path.string.visible
    return Told(code, exit, "cannot \(operation.words) \(place): \(reason.text).")
  }

  /// Whether the error concerns a temporary file that is unknown to users and was to replace another file.
  private var isAboutDraft: Bool {
    let name = path.name
    return name.hasPrefix(".tmp-") || name.hasPrefix(".") && name.hasSuffix(".draft")
  }

  private var code: String {
    switch reason {
    case .full: "disk-full"
    case .readOnly: "read-only"
    case .permission: "permission"
    case .notFound: "no-such-file"
    case .notADirectory, .isADirectory, .exists, .notEmpty, .io, .tooManyOpen, .other: "disk"
    }
  }

  private var exit: ExitCode {
    switch reason {
    case .full, .readOnly, .io: .cannotWrite
    case .permission: operation.isWriting || isAboutDraft ? .cannotWrite : .refused
    case .notFound, .exists, .notADirectory, .isADirectory, .tooManyOpen, .notEmpty, .other:
      .refused
    }
  }
}

extension DiskOperation {
  fileprivate var words: String {
    switch self {
    case .open: "open"
    case .read, .size, .status, .forgetCached, .volume: "read"
    case .list: "list"
    case .write, .truncate: "write"
    case .flush, .flushDirectory: "flush"
    case .close: "close"
    case .rename: "rename"
    case .remove, .removeDirectory: "remove"
    case .makeDirectory: "create the folder"
    case .lock: "lock"
    case .watch: "watch"
    }
  }

  fileprivate var isWriting: Bool {
    switch self {
    case .read, .size, .status, .list, .open, .forgetCached, .volume, .watch: false
    case .write, .truncate, .flush, .flushDirectory, .close, .rename, .remove, .removeDirectory,
      .makeDirectory, .lock:
      true
    }
  }
}

extension DiskFault {
  /// The end of messages about a full disk, for errors that occurred before anything was written.
  fileprivate static let nothingLeft = "; nothing was left half done"

  /// The text without this end, for errors that occurred after something was written.
  package var textOfCause: String { text.replacing(Self.nothingLeft, with: "") }

  package var text: String {
    switch self {
    case .notFound: "there is no such file"
    case .exists: "that name is already in use"
    case .permission: "permission denied; check its owner and permissions"
    case .full:
      "the disk is full, or this user has reached a quota or a limit on file sizes. Free some space, or raise the limit"
        + Self.nothingLeft
    case .readOnly: "it is on a read-only disk"
    case .io: "the disk reported an error. Copy the book before you do anything else"
    case .notADirectory: "there is a file where a folder is needed"
    case .isADirectory: "it is a folder"
    case .tooManyOpen: "too many files are open"
    case .notEmpty: "the folder is not empty"
    case .tooLarge: "it exceeds the size limit for files of its kind"
    case .invalid: "it is not a valid file name"
    case .closed: "it was closed"
    case .link:
      "it is a symbolic link or is reached through one, and daybook does not follow symbolic links"
    case .outside: "it is outside the folder"
    case .unsupported: "this system does not support the operation"
    case .other(let number): "Linux error \(number)"
    }
  }
}

extension Told {
  /// The same report for an error that occurred after something was written; `words` describe what was written.
  package func having(done words: String, code: String? = nil) -> Told {
    Told(code ?? self.code, exit, text.replacing(DiskFault.nothingLeft, with: "") + words)
  }
}

extension NetworkError {
  package var told: Told { Told("network", exit, text) }

  /// The exit code, which is `refused` if this machine prevents the operation, and otherwise `network`, because another
  /// attempt may succeed.
  private var exit: ExitCode {
    switch self {
    case .portInUse, .notPermitted, .noProgram: .refused
    case .refused, .unreachable, .timedOut, .cut, .unknownHost, .other: .network
    }
  }

  private var text: String {
    switch self {
    case .refused(let address):
      "nothing is listening at \(address.visible). Is 'daybook serve' running on that machine?"
    case .unreachable:
      "there is no route to that machine. Check that both machines are connected, and try again."
    case .portInUse: "the port is already in use. Stop the other program, or choose another port."
    case .timedOut: "the other machine did not answer in time. Try again."
    case .cut: "the connection broke. Everything received so far is kept; try again."
    case .unknownHost:
      "the host name could not be resolved. Check its spelling, or use an IP address."
    case .noProgram(let name): "this machine has no program '\(name.visible)'. Install it first."
    case .notPermitted: "you are not allowed to use that port. Use a port above 1023."
    case .other(let number): "the network failed with Linux error \(number)."
    }
  }
}
