import Crypto
import Journaling
import Platform
package import Syncing

/// Invites devices, and lets in those that prove to be invited.
package struct InvitationDesk {
  let store: LogStore
  let trustReader: TrustReader
  let projector: Projector
  let access: WriteAccess
  let writer: EventWriter
  let deviceList: DeviceList
  let service: ServiceFile

  /// Lets one device in that shows the invitation within ten minutes.
  ///
  /// It is shown to whoever serves this book: at the address given, or where a process of this machine does.
  package func invite(at address: Endpoint? = nil) throws(DaybookError) -> Invited {
    guard try deviceList.isAdmitted() else { throw .notAdmitted }
    let endpoint: Endpoint
    if let address {
      endpoint = address
    } else {
      guard let served = try service.served() else { throw .notServed }
      endpoint = served
    }
    var reachable = try endpoints(of: endpoint)
    let secret = store.machine.dice.bytes(Invitation.secretBytes)
    let now = store.folder.now
    let key = try access.withLock { () throws(DaybookError) in
      let key = try writer.ownKey()
      try changeInvitations { $0.open(secret, at: now) }
      return key
    }
    return Invited(
      invitation: Invitation(endpoint: reachable.removeFirst(), key: key, secret: secret),
      end: now + Limit.invitationMilliseconds, alternatives: reachable)
  }

  /// Where others reach what listens at an endpoint; at least one place.
  private func endpoints(of endpoint: Endpoint) throws(DaybookError) -> [Endpoint] {
    guard endpoint.isEverywhere else { return [endpoint] }
    let hosts = try wrap(DaybookError.network) { () throws(NetworkError) in
      try store.machine.network.addresses()
    }
    // Where only IPv4 is listened at, an IPv6 address leads nowhere.
    let meant = endpoint.host == "::" ? hosts : hosts.filter { !$0.contains(":") }
    let found = meant.map { Endpoint(host: $0, port: endpoint.port) }
    return found.isEmpty ? [Endpoint(host: "127.0.0.1", port: endpoint.port)] : found
  }

  /// Changes the file of invitations, with the lock held.
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

  /// Whether somebody who is not known yet may come with a proof.
  package func expectsGuests() throws(DaybookError) -> Bool {
    try wrap(DaybookError.disk) { () throws(DiskError) in
      try readInvitations().hasOpen(at: store.folder.now)
    }
  }

  /// Lets one in who proves to be invited, or says why not.
  ///
  /// - Returns: What it is called from now on; nil where its key took part already.
  func welcome(_ proof: Proof, of key: PublicKey) throws(SyncError) -> String? {
    try atDoor { () throws(DaybookError) in
      try access.withLock { () throws(DaybookError) in
        let own = try writer.ownKey()
        let now = store.folder.now
        let (refusal, secret) = try changeInvitations {
          ($0.take(proof, of: key, inviter: own, at: now), $0.secretName(takenBy: key))
        }
        if let refusal { throw .sync(.unwelcome(refusal)) }
        return try letIn(
          key, called: proof.name, by: secret.map(AdmissionRoute.invitation))
      }
    }
  }

  /// Whether one who proves to be invited would be new to the book, so that it is worth asking; nothing is changed.
  ///
  /// - Throws: Why it could not be let in, whatever anybody says.
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
      try checkAdmission(of: key, by: trust)
      return !trust.knownKeys.contains(key)
    }
  }

  /// Ends the invitation of one that the user does not let in.
  ///
  /// Its holder is not the device that was meant, so the secret is in other hands.
  func decline(_ proof: Proof, of key: PublicKey) throws(SyncError) {
    try atDoor { () throws(DaybookError) in
      try access.withLock { () throws(DaybookError) in
        let (own, now) = (try writer.ownKey(), store.folder.now)
        try changeInvitations { $0.decline(proof, of: key, inviter: own, at: now) }
      }
    }
  }

  /// Handles a proof that a caller shows; what fails here becomes an error of the session.
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
      // Who is trusted cannot be told now, so nobody new is.
      throw .unwelcome(.cannotAdmit)
    }
  }

  /// Admits the key of one who was invited, with the lock held.
  private func letIn(
    _ key: PublicKey, called wanted: String, by route: AdmissionRoute?
  ) throws(DaybookError) -> String? {
    var posting = try projector.posting()
    let roster = Roster(try trustReader.trust(by: posting.ledger), by: posting.ledger)
    let trust = roster.trust
    try checkAdmission(of: key, by: trust)
    guard !trust.knownKeys.contains(key) else { return nil }
    let others = try deviceList.devices(by: roster).filter { $0.key != key.bytes }
    let name = wanted.made(freeFrom: Set(others.map(\.name)))
    let admission = TrustVerb.admit(key, name: name, route: route)
    _ = try writer.append([], trusting: [admission], knowing: &posting)
    return name
  }

  /// Makes sure that this device can admit a key.
  private func checkAdmission(of key: PublicKey, by trust: Trust) throws(DaybookError) {
    guard try deviceList.isTrusted(by: trust) else { throw .sync(.unwelcome(.cannotAdmit)) }
    guard !trust.revokedKeys.contains(key) else { throw .sync(.unwelcome(.revokedKey)) }
  }

  /// Makes sure that what a guest has used is not used again, once it has all there is.
  func finishWelcome(of key: PublicKey) throws(DaybookError) {
    try access.withLock { () throws(DaybookError) in try changeInvitations { $0.finish(key) } }
  }
}

/// An invitation that was made, and what there is to say of it.
package struct Invited: Sendable {
  package var invitation: Invitation
  /// Until when it can be used.
  package var end: Int64
  /// Where the book may be reached as well, if this machine has several addresses.
  package var alternatives: [Endpoint]
}

extension String {
  /// The name itself, or with the first number behind it that makes it none of those taken.
  func made(freeFrom taken: Set<String>) -> String {
    guard taken.contains(self) else { return self }
    for number in 2...taken.count + 1 where !taken.contains("\(self) \(number)") {
      return "\(self) \(number)"
    }
    preconditionFailure("of so many names one is free")
  }
}
