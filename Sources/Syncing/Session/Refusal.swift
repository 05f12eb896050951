import Bytes
import Journaling

/// Why a side ends a session.
///
/// It is sent to the peer before the line is closed.
package struct Refusal: Hashable, Sendable {
  package enum Code: UInt64, Hashable, Sendable {
    case version = 1
    case wrongBook = 2
    case brokenMessage = 3
    case limit = 4
    case busy = 5
    /// The device is not known, and has no invitation.
    case notInvited = 6
    /// The proof belongs to no open invitation.
    case wrongProof = 7
    case usedInvitation = 8
    case expiredInvitation = 9
    /// The inviter is not admitted itself, so it cannot admit a device.
    case cannotAdmit = 10
    /// The device was revoked, and its key stays revoked.
    case revokedKey = 11
    /// The user refused the device.
    case declined = 12
    /// The user did not answer in time.
    case unanswered = 13
  }

  /// One of ``Code``, or a code of a later version.
  package var code: UInt64
  /// Text for the user.
  ///
  /// It comes from a peer, so it must be escaped when it is shown.
  package var text: String

  package init(code: UInt64, text: String) { (self.code, self.text) = (code, text) }

  package init(_ code: Code, _ text: String) { self.init(code: code.rawValue, text: text) }

  /// The refusal for an error here, or nil if it does not concern the peer.
  init?(_ error: SyncError) {
    switch error {
    case .version(let theirs):
      let (lowest, highest) = (Hello.versions.lowerBound, Hello.versions.upperBound)
      self.init(
        .version,
        "you speak \(theirs.lowerBound) to \(theirs.upperBound), I \(lowest) to \(highest)")
    case .wrongBook, .noBook: self.init(.wrongBook, "I hold another book")
    case .joinedInto(let book): self.init(.wrongBook, "my book has become part of \(book.hex)")
    case .message(.limit, at: _): self.init(.limit, "a message is beyond a limit")
    case .message(_, at: _), .unexpected: self.init(.brokenMessage, "a message is not as agreed")
    case .tooSlow: self.init(.limit, "too slow")
    case .journal(.asideFull): self.init(.limit, "no room for logs nobody has admitted")
    case .journal(.replayed): self.init(.limit, "I hold that already")
    case .journal(.overQuota): self.init(.limit, "a device has reached its quota here")
    case .journal(.disk), .journal(.poisoned): self.init(.busy, "my disk does not take it")
    case .journal: self.init(.brokenMessage, "a frame does not prove itself")
    case .unwelcome(let code): self.init(code, code.words)
    case .otherReplica: self.init(.brokenMessage, "you are not who you say")
    case .disk, .network, .tls, .cut, .refused, .notABundle, .noFolder, .isABook, .severalBooks:
      return nil
    }
  }
}

extension Refusal.Code {
  /// The text for codes that need no details.
  fileprivate var words: String {
    switch self {
    case .version, .wrongBook, .brokenMessage, .limit: "no"
    case .busy: "I talk with too many others"
    case .notInvited: "I do not know you"
    case .wrongProof: "no invitation of mine has that proof"
    case .usedInvitation: "the invitation was used already"
    case .expiredInvitation: "the invitation has expired"
    case .cannotAdmit: "I am not admitted myself"
    case .revokedKey: "your key was revoked"
    case .declined: "my user did not let you in"
    case .unanswered: "my user did not answer in time"
    }
  }
}
