import Crypto
import Journaling
import Syncing

/// Admits the devices that have used an invitation.
struct Gatekeeper {
  let trustReader: TrustReader
  let projector: Projector
  let writer: EventWriter
  let deviceList: DeviceList

  /// Admits the key of an invited device; the caller holds the lock.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - wanted: The name that the device uses for itself.
  ///   - route: The route to record.
  /// - Returns: The name under which the device is admitted, or nil if its key was already known.
  /// - Throws: `SyncError.unwelcome` if this device may not admit the key, or another ``DaybookError``.
  func letIn(
    _ key: PublicKey, called wanted: String, by route: AdmissionRoute?
  ) throws(DaybookError) -> String? {
    var posting = try projector.posting()
    let roster = Roster(try trustReader.trust(by: posting.ledger), by: posting.ledger)
    let trust = roster.trust
    try check(key, by: trust)
    guard !trust.knownKeys.contains(key) else { return nil }
    let others = try deviceList.devicesWithoutClocks(by: roster).filter { $0.key != key.bytes }
    let name = wanted.made(freeFrom: Set(others.map(\.name)))
    let admission = TrustVerb.admit(key, name: name, route: route)
    _ = try writer.append([], trusting: [admission], knowing: &posting)
    return name
  }

  /// Checks that this device may admit devices, and that the key is not revoked.
  func check(_ key: PublicKey, by trust: Trust) throws(DaybookError) {
    guard try deviceList.isTrusted(by: trust) else { throw .sync(.unwelcome(.cannotAdmit)) }
    guard !trust.revokedKeys.contains(key) else { throw .sync(.unwelcome(.revokedKey)) }
  }
}

extension String {
  /// The name itself if it is free; otherwise the name followed by the lowest number, at least 2, that makes it free.
  func made(freeFrom taken: Set<String>) -> String {
    guard taken.contains(self) else { return self }
    for number in 2...taken.count + 1 where !taken.contains("\(self) \(number)") {
      return "\(self) \(number)"
    }
    preconditionFailure("one of the names is free")
  }
}
