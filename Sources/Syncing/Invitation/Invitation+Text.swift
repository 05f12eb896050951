import Bytes
import Crypto

/// The reason why a text is not a valid invitation.
package enum InvitationFault: Error, Hashable, Sendable {
  /// The text does not start like an invitation.
  case noInvitation
  /// The text starts like an invitation of a different version.
  case otherVersion(String)
  /// The text contains a character that cannot occur in an invitation. Positions are counted from 1 after the colon,
  /// without separators.
  case letter(Character, at: Int)
  /// The text is too short to be complete.
  case cut(letters: Int)
  /// The checksum is wrong. If there is exactly one character whose replacement would make the text valid, its position
  /// is given.
  case mistyped(at: Int?)
  /// The invitation is complete, but its address or key cannot be used. The program that created it is at fault.
  case address
}

extension Invitation {
  package static let prefix = "daybook1:"
  private static let checksumBytes = 4

  /// Whether a text starts like an invitation of any version.
  package static func isMeant(by text: String) -> Bool {
    let name = text.lowercased().prefix { $0 != ":" }
    return name.hasPrefix("daybook") && text.contains(":")
      && name.dropFirst("daybook".count).allSatisfy(\.isNumber)
  }

  /// The invitation as text.
  package var text: String {
    let content = key.bytes + secret + Array(address.text.utf8)
    return Self.prefix + Base32.encode(content + Self.checksum(of: content))
  }

  /// Parses an invitation's text.
  ///
  /// Letters may be in either case, and spaces and hyphens may separate characters.
  package init(parsing text: String) throws(InvitationFault) {
    let values = try Self.values(of: text)
    guard values.count >= Self.leastLetters else { throw .cut(letters: values.count) }
    guard let content = Self.content(of: values) else {
      throw .mistyped(at: Self.mistypedLetter(in: values))
    }
    let secretStart = PublicKey.byteCount
    let addressStart = secretStart + Self.secretBytes
    let place = String(validating: content[addressStart...], as: UTF8.self)
    guard let place, let address = MachineAddress(place), address.text == place,
      // A key that accepts anyone's signatures does not identify a device.
      let key = try? PublicKey(Array(content[..<secretStart]))
    else { throw .address }
    self.init(
      address: address, key: key, secret: Array(content[secretStart..<addressStart]))
  }

  /// The number of characters in the shortest invitation, whose address has three characters.
  private static let leastLetters =
    (8 * (PublicKey.byteCount + secretBytes + 3 + checksumBytes) + 4) / 5

  private static func checksum(of content: some Collection<UInt8>) -> [UInt8] {
    let name = Array("daybook invitation v1".utf8)
    return Array(SHA256.digest(of: name + content).bytes.prefix(checksumBytes))
  }

  private static func values(of text: String) throws(InvitationFault) -> [UInt8] {
    let meant = text.drop { $0.isWhitespace }
    guard isMeant(by: String(meant)), let colon = meant.firstIndex(of: ":") else {
      throw .noInvitation
    }
    let start = meant[...colon]
    guard start.lowercased() == prefix else { throw .otherVersion(String(start.dropLast())) }
    var values: [UInt8] = []
    for letter in meant[colon...].dropFirst() where !letter.isWhitespace && letter != "-" {
      guard let ascii = letter.asciiValue, let value = Base32.value(of: ascii) else {
        throw .letter(letter, at: values.count + 1)
      }
      values.append(value)
    }
    return values
  }

  /// The content, if the checksum after it is right.
  private static func content(of values: [UInt8]) -> ArraySlice<UInt8>? {
    guard let bytes = Base32.decode(values) else { return nil }
    let content = bytes.dropLast(checksumBytes)
    return checksum(of: content) == bytes.suffix(checksumBytes) ? content : nil
  }

  /// The position of the only character whose replacement makes the checksum right.
  private static func mistypedLetter(in values: [UInt8]) -> Int? {
    // Addresses are short, so a longer text is not an invitation.
    guard values.count <= 2 * leastLetters else { return nil }
    var tried = values
    for place in values.indices {
      for value in 0..<UInt8(32) where value != values[place] {
        tried[place] = value
        if content(of: tried) != nil { return place + 1 }
      }
      tried[place] = values[place]
    }
    return nil
  }
}
