package import Daybook
package import Syncing

extension InvitationFault {
  package var told: Told { Told("bad-invitation", .refused, text) }

  private var text: String {
    switch self {
    case .noInvitation: "that is no invitation: one begins with '\(Invitation.prefix)'."
    case .otherVersion(let version):
      "the invitation is of another version (\(version.visible)). Bring both machines up to date."
    case .letter(let letter, let place):
      "letter \(place) of the invitation is '\(String(letter).visible)', and none has that."
        + guess(Self.meant[letter])
    case .cut(let letters):
      "the invitation is cut off after \(letters == 1 ? "1 letter" : "\(letters) letters"). "
        + "Copy all of it."
    case .mistyped(let place?): "letter \(place) of the invitation is mistyped."
    case .mistyped(nil):
      "the invitation is not whole: letters of it are mistyped, missing or too many. Copy it again."
    case .address:
      "the invitation says no address that could be dialled. Ask for a new one with "
        + "'daybook invite' there."
    }
  }

  /// The letters that are used, by the digits that look like them.
  private static let meant: [Character: String] = ["0": "O", "1": "I", "8": "B", "9": "G"]
}

extension ContactsFault {
  package var text: String {
    switch self {
    case .notJSON: "it is not JSON"
    case .shape: "what it says makes no sense"
    }
  }
}
