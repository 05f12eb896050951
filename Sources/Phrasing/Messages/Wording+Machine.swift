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

  /// Whether the error concerns a temporary file that was to replace another file, and that users do not know.
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
    case .list: "look into"
    case .write, .truncate: "write"
    case .flush, .flushDirectory: "make durable"
    case .close: "close"
    case .rename: "rename"
    case .remove, .removeDirectory: "remove"
    case .makeDirectory: "make the folder"
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
  /// The end of messages about a full disk, for errors before anything was written.
  fileprivate static let nothingLeft = "; nothing half-done is left behind"

  /// The text without this end, for errors after something was written.
  var textOfCause: String { text.replacing(Self.nothingLeft, with: "") }

  package var text: String {
    switch self {
    case .notFound: "there is no such file"
    case .exists: "something of that name is there already"
    case .permission: "you may not; see its owner and permissions"
    case .full: "the disk is full. Free some space" + Self.nothingLeft
    case .readOnly: "it is on a read-only disk"
    case .io: "the disk reports a fault. Make a copy of the book before anything else"
    case .notADirectory: "a file stands where a folder was needed"
    case .isADirectory: "it is a folder"
    case .tooManyOpen: "too many files are open"
    case .notEmpty: "the folder is not empty"
    case .tooLarge: "it is larger than any such file may be"
    case .invalid: "it is no name for a plain file"
    case .closed: "it was closed"
    case .link: "it is a symbolic link, or lies behind one, and none is followed there"
    case .outside: "it lies outside of the folder"
    case .unsupported: "this system cannot"
    case .other(let number): "Linux error \(number)"
    }
  }
}

extension Told {
  /// The same report for an error after something was written; `words` describe what was written.
  func having(done words: String, code: String? = nil) -> Told {
    Told(code ?? self.code, exit, text.replacing(DiskFault.nothingLeft, with: "") + words)
  }
}

extension NetworkError {
  package var told: Told { Told("network", exit, text) }

  /// The exit code: `refused` if this machine prevents the operation; otherwise `network`, because another attempt may
  /// succeed.
  private var exit: ExitCode {
    switch self {
    case .portInUse, .notPermitted: .refused
    case .refused, .unreachable, .timedOut, .cut, .unknownHost, .other: .network
    }
  }

  private var text: String {
    switch self {
    case .refused(let address):
      "nobody listens at \(address.visible). Is 'daybook serve' running there?"
    case .unreachable: "no road leads there. See whether both are connected, and try again."
    case .portInUse: "the port is in use. Stop the other program or choose another port."
    case .timedOut: "nobody answered in time. Try again."
    case .cut: "the line broke. What had arrived is kept; try again."
    case .unknownHost: "the host's name means no address. See how it is spelt, or say the address."
    case .notPermitted: "you may not use that port; those above 1023 are free for everyone."
    case .other(let number): "the network failed with Linux error \(number)."
    }
  }
}
