import Crypto
import Journaling
import Syncing

extension ContactBook {
  /// The key that the machine at an address must present, if a peer with a key is remembered there.
  ///
  /// If the device has since changed its key, the new key is also accepted, provided that each key has only one
  /// successor, and that the successor is admitted.
  func contactPin(at address: PeerAddress) throws(DaybookError) -> ContactPin? {
    guard address.machine != nil,
      let contact = try contacts().first(where: { $0.address == address })
    else { return nil }
    if let words = contact.expectedWords {
      return ContactPin(
        name: contact.name, pin: .words(words), words: words.joined(separator: "-"))
    }
    guard let key = contact.key else { return nil }
    let trust = try deviceList.roster().trust
    var keys: Set<PublicKey> = [key]
    var last = key
    while let next = trust.successors[last], next.count == 1, let key = next.first,
      trust.admittedKeys.contains(key), keys.insert(key).inserted
    {
      last = key
    }
    return ContactPin(
      name: contact.name, pin: .keys(keys), words: key.fingerprint.joined(separator: "-"))
  }

  /// The error for a failed call to a machine.
  ///
  /// If the machine has shown a key that was revoked, the error states this. Otherwise, the same key would be reported
  /// as a different key, or as the key of an unknown machine.
  func explainingRevocation(_ error: DaybookError, at address: PeerAddress?) -> DaybookError {
    // If the devices or the peers cannot be read now, the error itself matters more.
    guard case .sync(.tls(.unknownKey(let shown))) = error,
      let trust = try? deviceList.roster().trust, trust.revokedKeys.contains(shown)
    else { return error }
    let device = try? deviceList.devicesWithoutClocks().first { $0.key == shown.bytes }
    let peer = try? contacts().first { address != nil && $0.address == address }
    return .revokedPeer(
      device: device?.listedName ?? trust.name(of: shown),
      words: shown.fingerprint.joined(separator: "-"), peer: peer?.name)
  }

  /// Sets the key that a remembered machine must show from now on.
  ///
  /// - Parameters:
  ///   - name: The name of the peer.
  ///   - words: The words of the machine's key, as that machine shows them.
  /// - Throws: ``DaybookError/noSuchPeer(_:)`` for an unknown name; ``DaybookError/keyless(_:)`` for a folder, file or
  ///   store; ``DaybookError/revokedKey(_:)`` for a key that was revoked.
  package func trustPeer(_ name: String, with words: [String]) throws(DaybookError) {
    let contact = try contact(called: name)
    switch contact.address {
    case .tcp?, .ssh?, nil: break
    case .file?, .directory?, .store?: throw .keyless(name)
    }
    if let device = try deviceList.devicesWithoutClocks().first(where: { $0.fingerprint == words }),
      device.standing == .revoked
    {
      throw .revokedKey(device.listedName)
    }
    try changeContacts { contacts throws(DaybookError) in
      guard let place = contacts.index(of: name) else { throw .noSuchPeer(name) }
      contacts.contacts[place].key = nil
      contacts.contacts[place].expectedWords = words
    }
  }
}
