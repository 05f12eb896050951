import Bytes
import Journaling

/// The reason why a side ends a session.
///
/// The refusal is sent to the peer before the line is closed.
package struct Refusal: Hashable, Sendable {
  package enum Code: UInt64, Hashable, Sendable {
    case version = 1
    case wrongBook = 2
    case brokenMessage = 3
    case limit = 4
    case busy = 5
    /// The device is not known and has no invitation.
    case notInvited = 6
    /// The proof does not match an open invitation.
    case wrongProof = 7
    case usedInvitation = 8
    case expiredInvitation = 9
    /// The inviter itself is not admitted, so it cannot admit a device.
    case cannotAdmit = 10
    /// The device was revoked, and its key stays revoked.
    case revokedKey = 11
    /// The user refused the device.
    case declined = 12
    /// The user did not answer in time.
    case unanswered = 13
  }

  /// A value of ``Code``, or a code of a later version.
  package var code: UInt64
  /// The text to show to the user.
  ///
  /// The text comes from a peer, so it must be escaped when it is shown.
  package var text: String

  package init(code: UInt64, text: String) { (self.code, self.text) = (code, text) }

  package init(_ code: Code, _ text: String) { self.init(code: code.rawValue, text: text) }

  /// Creates the refusal that corresponds to an error on this side; nil if the error does not concern the peer.
  init?(_ error: SyncError) {
    switch error {
    case .version(let theirs):
      let (lowest, highest) = (Hello.versions.lowerBound, Hello.versions.upperBound)
      self.init(
        .version,
        "you speak \(theirs.lowerBound) to \(theirs.upperBound), I speak \(lowest) to \(highest)")
    case .wrongBook, .noBook: self.init(.wrongBook, "I have a different book")
    case .joinedInto(let book): self.init(.wrongBook, "my book has become part of \(book.hex)")
    case .message(.limit, at: _): self.init(.limit, "a message exceeds a limit")
    case .message(_, at: _), .unexpected: self.init(.brokenMessage, "a message is malformed")
    case .tooSlow: self.init(.limit, "too slow")
    case .journal(.asideFull): self.init(.limit, "I have no space for more unadmitted logs")
    case .journal(.replayed): self.init(.limit, "I already have these events")
    case .journal(.overQuota): self.init(.limit, "a device has reached its quota here")
    case .journal(.disk), .journal(.poisoned): self.init(.busy, "my disk cannot store the events")
    case .journal(.locked), .journal(.newer), .journal(.changed), .journal(.signing):
      // Nothing is wrong with the peer's frames.
      self.init(.busy, "I cannot store events at the moment")
    case .journal: self.init(.brokenMessage, "a frame is not valid")
    case .unwelcome(let code): self.init(code, code.words)
    case .otherReplica: self.init(.brokenMessage, "your log is signed with a different key")
    case .disk, .network, .tls, .ssh, .cut, .refused, .notABundle, .damagedBundle, .noFolder,
      .isABook, .insideABook, .ownAddress, .isSealed, .joinSealed, .tooManyFiles, .storage:
      return nil
    }
  }
}

extension Refusal.Code {
  /// The text for a code without details.
  fileprivate var words: String {
    switch self {
    case .version, .wrongBook, .brokenMessage, .limit: "no"
    case .busy: "I am connected to too many others"
    case .notInvited: "I do not know you"
    case .wrongProof: "that proof matches none of my invitations"
    case .usedInvitation: "the invitation has already been used"
    case .expiredInvitation: "the invitation has expired"
    case .cannotAdmit: "I am not admitted myself"
    case .revokedKey: "your key was revoked"
    case .declined: "my user did not let you in"
    case .unanswered: "my user did not answer in time"
    }
  }
}
