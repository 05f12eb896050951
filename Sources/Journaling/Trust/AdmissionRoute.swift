package import Bytes

/// How a device came to be let in: what its `admit` says of it.
package enum AdmissionRoute: Hashable, Sendable {
  /// Somebody named the device or its key.
  case command
  /// It showed the secret of an invitation; the name of that secret.
  case invitation(UniqueID)
  /// Its log lay in a folder that was synced; what the folder is called.
  case folder(String)
  /// Its log lay in a bundle file; what the file is called.
  case file(String)
  /// Its log came from a machine that was synced with; what the machine is called.
  case machine(String)
  /// A device of the book took it as its next key.
  case newKey
}

extension AdmissionRoute {
  /// A folder, file or machine is named by at most so many bytes.
  package static let nameBytes = 256

  private var number: UInt64 {
    switch self {
    case .command: 0
    case .invitation: 1
    case .folder: 2
    case .file: 3
    case .machine: 4
    case .newKey: 5
    }
  }

  func encode(to writer: inout CBORWriter) {
    switch self {
    case .command, .newKey:
      writer.arrayHeader(1)
      writer.unsigned(number)
    case .invitation(let secret):
      writer.arrayHeader(2)
      writer.unsigned(number)
      writer.uniqueID(secret)
    case .folder(let name), .file(let name), .machine(let name):
      writer.arrayHeader(2)
      writer.unsigned(number)
      writer.text(name)
    }
  }
}

extension CBORReader {
  /// Reads an admission's route if one is next; nil where the item is of another shape, which a newer version may
  /// have written.
  @_lifetime(self: copy self)
  mutating func takeAdmissionRoute() -> AdmissionRoute? {
    var ahead = self
    do throws(CBORError) {
      guard let route = try ahead.admissionRoute() else { return nil }
      self = ahead
      return route
    } catch {
      return nil
    }
  }

  @_lifetime(self: copy self)
  private mutating func admissionRoute() throws(CBORError) -> AdmissionRoute? {
    guard try peek() == .array else { return nil }
    let count = try arrayHeader()
    guard count > 0, try peek() == .unsigned else { return nil }
    let number = try unsigned()
    switch (number, count) {
    case (0, 1): return .command
    case (1, 2): return .invitation(try uniqueID())
    case (2, 2): return .folder(try text())
    case (3, 2): return .file(try text())
    case (4, 2): return .machine(try text())
    case (5, 1): return .newKey
    default: return nil
    }
  }
}
