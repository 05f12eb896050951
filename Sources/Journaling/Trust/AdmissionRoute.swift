package import Bytes

/// The route by which a device was admitted, as stated in its `admit` event.
package enum AdmissionRoute: Hashable, Sendable {
  /// A user named the device or its key.
  case command
  /// The device presented the secret of an invitation; the value is the name of the secret.
  case invitation(UniqueID)
  /// The log of the device was in a synced folder; the value is the name of the folder.
  case folder(String)
  /// The log of the device was in a bundle file; the value is the name of the file.
  case file(String)
  /// The log of the device came from a machine during a sync; the value is the name of the machine.
  case machine(String)
  /// A device of the book admitted its own next key.
  case newKey
}

extension AdmissionRoute {
  /// The limit for the name of a folder, file or machine, in bytes.
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
  /// Reads the route of an admission if it is the next item; nil if the item has a different shape.
  ///
  /// A newer version may have written such an item.
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
