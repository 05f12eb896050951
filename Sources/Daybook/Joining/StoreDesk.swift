import Bytes
import Crypto
import Journaling
import Platform
import Sealing
package import Syncing

/// Makes invitations through sealed stores, and decides about the devices that use them.
package struct StoreDesk {
  let store: LogStore
  let trustReader: TrustReader
  let projector: Projector
  let access: WriteAccess
  let writer: EventWriter
  let deviceList: DeviceList

  private var file: StoreInvitationFile { StoreInvitationFile(store: store) }
  private var gatekeeper: Gatekeeper {
    Gatekeeper(
      trustReader: trustReader, projector: projector, writer: writer, deviceList: deviceList)
  }

  /// An invitation through a store, with its end.
  package struct Invited: Sendable {
    package let invitation: StoreInvitation
    /// The time at which the invitation ends, in milliseconds by the clock of this machine.
    package let end: Int64
  }

  /// Makes an invitation with which one device can join through a store within a day.
  ///
  /// - Parameters:
  ///   - address: The store, which this device remembers as a peer.
  ///   - isAsking: Whether a user at a terminal is asked before the device is admitted.
  /// - Returns: The invitation.
  /// - Throws: ``DaybookError/notAdmitted`` if this device is not admitted, or another ``DaybookError``.
  package func invite(
    through address: StoreAddress, asking isAsking: Bool
  ) throws(DaybookError) -> Invited {
    guard address.book == store.file.book else { throw .formerStore(address.place.location) }
    guard try deviceList.isAdmitted() else { throw .notAdmitted }
    let secret = store.machine.dice.bytes(KnockSecret.byteCount)
    let now = store.folder.now
    let invitation = try access.withLock { () throws(DaybookError) in
      let invitation = StoreInvitation(to: address, by: try writer.ownKey(), secret: secret)
      try file.change { $0.open(invitation.knockSecret, asking: isAsking, at: now) }
      return invitation
    }
    return Invited(invitation: invitation, end: now + StoreInvitation.validMilliseconds)
  }

  /// Ends all open invitations through stores.
  ///
  /// - Returns: The number of these invitations.
  /// - Throws: ``DaybookError`` if the invitations cannot be read or written.
  package func cancel() throws(DaybookError) -> Int {
    let now = store.folder.now
    return try file.change { $0.cancel(at: now) }
  }

  // MARK: Guests

  /// Decides about the devices that have knocked, and admits those that are welcome.
  ///
  /// - Parameters:
  ///   - knocks: The knocks.
  ///   - greeting: Whether the user is asked.
  ///   - peer: The store.
  /// - Returns: What was decided about each device.
  /// - Throws: ``DaybookError`` if a device cannot be admitted because of a fault.
  func receive(
    _ knocks: [OpenedKnock], greeting: GuestGreeting, at peer: PeerAddress
  ) throws(DaybookError) -> [StoreGuest] {
    guard case .store(let address) = peer else { return [] }
    let place = address.place.location.string
    var guests: [StoreGuest] = []
    for opened in knocks {
      let (key, name) = (opened.knock.joiner.signing, opened.knock.name)
      guests.append(
        StoreGuest(
          name: name, words: key.fingerprint,
          fate: try decide(about: opened, greeting, at: place)))
    }
    return guests
  }

  private func decide(
    about opened: OpenedKnock, _ greeting: GuestGreeting, at place: String
  ) throws(DaybookError) -> StoreGuest.Fate {
    let key = opened.knock.joiner.signing
    do throws(DaybookError) {
      let trust = try projector.trust()
      try gatekeeper.check(key, by: trust)
      if opened.isAsking, !trust.knownKeys.contains(key) {
        let device = PendingDevice(
          name: opened.knock.name, words: key.fingerprint, address: place)
        switch greeting {
        case .admit: break
        case .later: return .waiting
        case .ask(let isWelcome):
          if !isWelcome(device) {
            try end(opened, with: Refusal.Code.declined.rawValue)
            return .refused(.declined)
          }
        }
      }
      let name = try access.withLock { () throws(DaybookError) in
        let given = try gatekeeper.letIn(
          key, called: opened.knock.name, by: .invitation(opened.invitation))
        let known = try deviceList.devicesWithoutClocks().first { $0.key == key.bytes }?.name
        let name = given ?? known ?? opened.knock.name
        try end(opened, with: KnockAnswer.admitted, name: name)
        return name
      }
      return .admitted(name)
    } catch {
      guard case .sync(.unwelcome(let code)) = error else { throw error }
      try end(opened, with: code.rawValue)
      return .refused(code)
    }
  }

  /// Records the outcome of an invitation, which the next exchange with the store answers.
  private func end(
    _ opened: OpenedKnock, with outcome: UInt64, name: String = ""
  ) throws(DaybookError) {
    let joiner = opened.knock.joiner
    let isIn = outcome == KnockAnswer.admitted
    try file.change { invitations in
      invitations.change(opened.invitation) { entry in
        (entry.outcome, entry.guest, entry.guestName) = (outcome, joiner.signing, name)
        entry.agreement = isIn ? joiner.agreement : nil
      }
    }
  }
}

/// How a device is received that has knocked at a sealed store.
package enum GuestGreeting {
  /// The device is admitted, because it has the secret of the invitation.
  case admit
  /// The device waits, unless the invitation needs no confirmation.
  case later
  /// The user decides, unless the invitation needs no confirmation.
  case ask((PendingDevice) -> Bool)
}
