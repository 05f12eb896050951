import Bytes
import Crypto
import Platform
import Sealing
import Syncing

/// A knock that this device has opened in a sealed store.
struct OpenedKnock: Hashable {
  /// The name of the secret of the invitation.
  let invitation: UniqueID
  let knock: Knock
  /// Whether a user at a terminal is asked before the device is admitted.
  let isAsking: Bool
}

/// Reads the knocks in a sealed store, and puts the answers to the invitations of this device.
///
/// Each step can be repeated, so a crash between two steps leaves nothing undone after the next session.
struct KnockExchange {
  let store: LogStore
  let localDevice: LocalDevice
  let identity: StoreIdentity

  private var file: StoreInvitationFile { StoreInvitationFile(store: store) }

  /// The invitations to this store.
  private func entries() throws(DaybookError) -> [StoreInvitations.Entry] {
    try file.read().entries.filter { $0.identity == identity }
  }

  /// Reads the knocks that answer open invitations.
  func knocks(
    at door: StoreDoor, _ problems: inout [SyncProblem]
  ) throws(DaybookError) -> [OpenedKnock] {
    var knocks: [OpenedKnock] = []
    for entry in try entries() where entry.isOpen(at: store.folder.now) {
      guard let secret = entry.knockSecret else { continue }
      let id = secret.id(of: .knock)
      let object = try wrap(DaybookError.sync) { () throws(SyncError) in try door.read(id) }
      guard let object else { continue }
      do throws(KnockError) {
        knocks.append(
          OpenedKnock(
            invitation: entry.name, knock: try Knock(opening: object, with: secret),
            isAsking: entry.isAsking))
      } catch {
        // The joiner replaces its knock when it finds that it was changed.
        problems.append(.badKnock(door.location(of: id), error))
      }
    }
    return knocks
  }

  /// Puts the answers to the invitations that have ended, and then removes their knocks and forgets their secrets.
  ///
  /// The caller has pushed everything first, because a joiner that reads the answer expects its keys and its admission.
  func answer(
    at door: StoreDoor, knowing opened: Set<PublicKey>
  ) throws(DaybookError) -> SyncProblem? {
    guard try !entries().isEmpty else { return nil }
    let now = store.folder.now
    let ended = try file.change { invitations in
      invitations.expire(at: now)
      invitations.forgetAgreements(of: opened)
      return invitations.entries.filter { $0.identity == identity }
    }
    let signer = try localDevice.shownKeys().signing
    do throws(SyncError) {
      for entry in ended {
        if entry.isOver(at: now) {
          try door.remove(entry.answer)
        } else if let outcome = entry.outcome, let secret = entry.knockSecret {
          // An answer counts only under the key that made the invitation.
          if entry.inviter == signer.publicKey {
            try door.put(answer(to: entry, outcome, secret, signer), as: entry.answer)
          }
          try door.remove(secret.id(of: .knock))
        }
      }
    } catch {
      if let problem = door.refusal(for: error) { return problem }
      throw .sync(error)
    }
    try file.change { invitations in
      for entry in ended {
        if entry.isOver(at: now) {
          invitations.forget(entry.name)
        } else if entry.outcome != nil {
          invitations.change(entry.name) { $0.secret = nil }
        }
      }
    }
    return nil
  }

  private func answer(
    to entry: StoreInvitations.Entry, _ outcome: UInt64, _ secret: KnockSecret,
    _ signer: SigningKey
  ) -> [UInt8] {
    do throws(CryptoError) {
      return try KnockAnswer(
        outcome, to: entry.guest, called: entry.guestName, with: secret, signedBy: signer
      ).sealed(with: secret)
    } catch {
      preconditionFailure("OpenSSL can sign a short message: \(error)")
    }
  }
}
