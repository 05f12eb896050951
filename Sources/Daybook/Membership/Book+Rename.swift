import Bytes
import Crypto
import Journaling

extension Book {
  /// The longest name a device can be given, in bytes.
  package static let deviceNameBytes = 100

  /// Whether a device can be given a name: one line that shows something, and that does not end as a command does
  /// (`phone:3`).
  private static func canBeDeviceName(_ name: String) -> Bool {
    let scalars = name.unicodeScalars
    guard name.utf8.count <= deviceNameBytes, scalars.contains(where: { !$0.isBlank }),
      !scalars.contains(where: { $0.value < 0x20 })
    else { return false }
    let number = name.reversed().prefix { ("0"..."9").contains($0) }
    return number.isEmpty || name.dropLast(number.count).last != ":"
  }

  /// Calls a device by another name, on all machines once they have heard of it.
  ///
  /// A naming counts on from those held, so it takes the place of every name its author knew; of names that were
  /// given at the same time all machines show the same one.
  package func rename(_ device: Device, to name: String) throws(DaybookError) {
    guard Self.canBeDeviceName(name) else { throw .badDeviceName(name) }
    let key = try publicKey(of: device)
    try withLock { () throws(DaybookError) in
      var posting = try remembered(by: try view())
      let roster = Roster(try trust(by: posting.ledger), by: posting.ledger)
      let trust = roster.trust
      guard try isTrusted(by: trust) else { throw .notAdmitted }
      guard !trust.revokedKeys.contains(key) else { throw .revokedKey(device.listedName) }
      // Names come with admissions.
      guard trust.admittedKeys.contains(key) else {
        throw .namedBeforeAdmission(device.listedName)
      }
      let others = try devices(by: roster).filter { $0.key != device.key }
      guard !others.contains(where: { $0.isCalled(name) }) else { throw .deviceNameTaken(name) }
      let last = posting.ledger.trustEvents.compactMap { event -> UInt64? in
        if case .admit(key, _, let naming, _) = event.verb { naming } else { nil }
      }.max()
      let naming = min(last ?? 0, .max - 1) + 1
      _ = try append([], trusting: [.admit(key, name: name, naming: naming)], knowing: &posting)
      if device.isThis {
        // What a log begun from now on calls itself.
        file.device = name
        try saveFile()
      }
    }
    try settleAfterSync()
  }
}

extension Unicode.Scalar {
  fileprivate var isBlank: Bool {
    properties.isWhitespace || properties.isDefaultIgnorableCodePoint
  }
}
