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
  private static let form = CheckedText(
    prefix: prefix, label: "daybook invitation v1", letters: leastLetters...2 * leastLetters)

  /// Whether a text starts like an invitation of any version.
  package static func isMeant(by text: String) -> Bool { form.isMeant(by: text) }

  /// The invitation as text.
  package var text: String { Self.form.text(of: key.bytes + secret + Array(address.text.utf8)) }

  /// Parses an invitation's text.
  ///
  /// Letters may be in either case, and spaces and hyphens may separate characters.
  package init(parsing text: String) throws(InvitationFault) {
    let content = try Self.form.content(of: text)
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
  private static let leastLetters = CheckedText.letterCount(
    ofContent: PublicKey.byteCount + secretBytes + 3)
}
