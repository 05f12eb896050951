import Crypto
import Journaling
import Platform
package import Syncing

/// Makes invitations, and admits devices that prove that they were invited.
package struct InvitationDesk {
  let store: LogStore
  let trustReader: TrustReader
  let projector: Projector
  let access: WriteAccess
  let writer: EventWriter
  let deviceList: DeviceList
  let service: ServiceFile

  /// Makes an invitation with which one device can join within ten minutes.
  ///
  /// The device connects to `address`, or to the endpoint at which a process on this machine serves the book.
  ///
  /// - Throws: `DaybookError.notAdmitted` if this device is not admitted; `DaybookError.notServed` if no address is
  ///   given and no process serves the book.
  package func invite(at address: MachineAddress? = nil) throws(DaybookError) -> Invited {
    guard try deviceList.isAdmitted() else { throw .notAdmitted }
    var reachable = try addresses(of: address)
    let secret = store.machine.dice.bytes(Invitation.secretBytes)
    let now = store.folder.now
    let key = try access.withLock { () throws(DaybookError) in
      let key = try writer.ownKey()
      try changeInvitations { $0.open(secret, at: now) }
      return key
    }
    return Invited(
      invitation: Invitation(address: reachable.removeFirst(), key: key, secret: secret),
      end: now + Limit.invitationMilliseconds, alternatives: reachable)
  }

  /// The addresses at which other devices can reach this one; at least one.
  private func addresses(of address: MachineAddress?) throws(DaybookError) -> [MachineAddress] {
    switch address {
    case .ssh(let account)?: return [.ssh(account)]
    case .tcp(let endpoint)?: return try endpoints(of: endpoint).map(MachineAddress.tcp)
    case nil:
      guard let served = try service.served() else { throw .notServed }
      return try endpoints(of: served).map(MachineAddress.tcp)
    }
  }

  /// The endpoints at which other devices can reach a listening endpoint; at least one.
  private func endpoints(of endpoint: Endpoint) throws(DaybookError) -> [Endpoint] {
    guard endpoint.isEverywhere else { return [endpoint] }
    let hosts = try wrap(DaybookError.network) { () throws(NetworkError) in
      try store.machine.network.addresses()
    }
    // A server that listens on IPv4 only cannot be reached at an IPv6 address.
    let meant = endpoint.host == "::" ? hosts : hosts.filter { !$0.contains(":") }
    let found = meant.map { Endpoint(host: $0, port: endpoint.port) }
    return found.isEmpty ? [Endpoint(host: "127.0.0.1", port: endpoint.port)] : found
  }

  /// Changes the invitations and replaces their file; the caller holds the lock.
  private func changeInvitations<Value>(
    _ change: (inout Invitations) -> Value
  ) throws(DaybookError) -> Value {
    try wrap(DaybookError.disk) { () throws(DiskError) in
      var invitations = try readInvitations()
      let value = change(&invitations)
      try store.machine.disk.replace(
        store.layout.invitations, with: invitations.bytes)
      return value
    }
  }

  private func readInvitations() throws(DiskError) -> Invitations {
    do throws(DiskError) {
      let limit = 1 << 20
      return Invitations(
        parsing: try store.machine.disk.contents(
          of: store.layout.invitations, limit: limit))
    } catch {
      guard error.reason == .notFound || error.reason == .tooLarge else { throw error }
      return Invitations()
    }
  }

  /// Whether an invitation is open; if so, unknown devices may connect with a proof.
  package func expectsGuests() throws(DaybookError) -> Bool {
    try wrap(DaybookError.disk) { () throws(DiskError) in
      try readInvitations().hasOpen(at: store.folder.now)
    }
  }

  /// Admits a device that proves that it was invited.
  ///
  /// - Returns: The name under which the device is admitted, or nil if its key was already known.
  /// - Throws: `SyncError.unwelcome` with the reason if the device is refused.
  func welcome(_ proof: Proof, of key: PublicKey) throws(SyncError) -> String? {
    try atDoor { () throws(DaybookError) in
      try access.withLock { () throws(DaybookError) in
        let own = try writer.ownKey()
        let now = store.folder.now
        let (refusal, secret) = try changeInvitations {
          ($0.take(proof, of: key, inviter: own, at: now), $0.secretName(takenBy: key))
        }
        if let refusal { throw .sync(.unwelcome(refusal)) }
        return try gatekeeper.letIn(
          key, called: proof.name, by: secret.map(AdmissionRoute.invitation))
      }
    }
  }

  /// Whether a device with a valid proof would be new to the book.
  ///
  /// If so, the user is asked about the device, unless strangers are let in.
  ///
  /// The check itself changes nothing.
  ///
  /// - Throws: The reason why the device could not be admitted, regardless of the user's answer.
  func isNew(_ key: PublicKey, showing proof: Proof) throws(SyncError) -> Bool {
    try atDoor { () throws(DaybookError) in
      let invitations = try wrap(DaybookError.disk) { () throws(DiskError) in
        try readInvitations()
      }
      if let refusal = invitations.refusal(
        of: proof, of: key, inviter: try writer.ownKey(), at: store.folder.now)
      {
        throw .sync(.unwelcome(refusal))
      }
      let trust = try projector.trust()
      try gatekeeper.check(key, by: trust)
      return !trust.knownKeys.contains(key)
    }
  }

  /// Ends the invitation of a device that the user has refused.
  ///
  /// The user invited a different device, so the secret is known to another party.
  func decline(_ proof: Proof, of key: PublicKey) throws(SyncError) {
    try atDoor { () throws(DaybookError) in
      try access.withLock { () throws(DaybookError) in
        let (own, now) = (try writer.ownKey(), store.folder.now)
        try changeInvitations { $0.decline(proof, of: key, inviter: own, at: now) }
      }
    }
  }

  /// Handles a caller's proof, and converts errors to session errors.
  private func atDoor<Value>(
    _ body: () throws(DaybookError) -> Value
  ) throws(SyncError) -> Value {
    do throws(DaybookError) {
      return try body()
    } catch .sync(let error) {
      throw error
    } catch .journal(let error) {
      throw .journal(error)
    } catch .disk(let error) {
      throw .disk(error)
    } catch .busy(let holder) {
      throw .journal(.locked(holder: holder))
    } catch {
      // This device cannot admit any device now.
      throw .unwelcome(.cannotAdmit)
    }
  }

  /// The desk for invitations through sealed stores.
  package var storeDesk: StoreDesk {
    StoreDesk(
      store: store, trustReader: trustReader, projector: projector, access: access, writer: writer,
      deviceList: deviceList)
  }

  private var gatekeeper: Gatekeeper {
    Gatekeeper(
      trustReader: trustReader, projector: projector, writer: writer, deviceList: deviceList)
  }

  /// Marks the invitations that a device has used, so that they cannot be used again.
  ///
  /// Called after the first sync with the device.
  func finishWelcome(of key: PublicKey) throws(DaybookError) {
    try access.withLock { () throws(DaybookError) in try changeInvitations { $0.finish(key) } }
  }
}

/// An invitation, with its end and additional addresses.
package struct Invited: Sendable {
  package var invitation: Invitation
  /// The time at which the invitation ends, in milliseconds by the clock of this machine.
  package var end: Int64
  /// Other addresses at which this machine may be reached, if it has several.
  package var alternatives: [MachineAddress]
}
