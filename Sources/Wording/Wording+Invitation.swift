package import Syncing

extension InvitationFault {
  package var told: Told { Told("bad-invitation", .refused, text) }

  private var text: String {
    switch self {
    case .noInvitation:
      "that is not an invitation: an invitation begins with '\(Invitation.prefix)'."
    case .otherVersion(let version):
      "the invitation uses a different version of the format (\(version.visible)). "
        + "Update daybook on both machines."
    case .letter(let letter, let place):
      "character \(place) of the invitation is '\(String(letter).visible)', which cannot occur in an invitation."
        + guess(Self.meant[letter])
    case .cut(let letters):
      "the invitation is cut off after \(letters == 1 ? "1 character" : "\(letters) characters"). "
        + "Copy all of it."
    case .mistyped(let place?): "character \(place) of the invitation is mistyped."
    case .mistyped(nil):
      "the invitation contains mistyped, missing or extra characters. Copy it again."
    case .address:
      "the invitation has no usable address. Run 'daybook invite' on the other machine to get a new one."
    }
  }

  /// The letters to use in place of the digits that look like them.
  private static let meant: [Character: String] = ["0": "O", "1": "I", "8": "B", "9": "G"]
}
