internal import Crypto

extension KeyRing {
  /// The maximum number of keys.
  package static let keyLimit = 4_096
  /// The size of the largest key file, in bytes.
  package static let byteLimit = 64 << 20
  /// The maximum number of keys from one maker.
  ///
  /// The limit is a fraction of ``keyLimit``, so that a device that makes any number of keys uses up only its own
  /// share.
  package static let makerKeyLimit = keyLimit / 4
  /// The maximum size of one maker's keys in the file, in bytes.
  package static let makerByteLimit = byteLimit / 4

  /// Returns the keys after one has been added or replaced, if a file with all of them can be read back.
  ///
  /// - Parameter changed: The key that is new or has changed.
  /// - Returns: The keys in order.
  /// - Throws: ``StoreKeyError/ringLimit`` if the keys are too many or too large.
  func merging(_ changed: HeldKey) throws(StoreKeyError) -> [HeldKey] {
    let all = keys.filter { $0.key.id != changed.key.id } + [changed]
    let byteCount = all.reduce(Self.headBytes) { $0 + $1.byteCount }
    guard all.count <= Self.keyLimit, byteCount <= Self.byteLimit else { throw .ringLimit }
    return all.sorted { $0.origin < $1.origin }
  }

  /// Checks that a maker has room for one more key.
  ///
  /// All makers that are not admitted share the room of one maker, because anyone may invent such makers. The packager
  /// does not matter, because a device passes on the keys of all other devices.
  ///
  /// - Parameters:
  ///   - held: The key.
  ///   - members: The members according to the events that the device currently holds.
  /// - Throws: ``StoreKeyError/makerLimit(_:)`` if the keys would be too many or too large.
  func checkRoom(for held: HeldKey, knowing members: MemberKeys) throws(StoreKeyError) {
    let maker = members.admittedMaker(of: held)
    let all = keys.filter { members.admittedMaker(of: $0) == maker } + [held]
    let byteCount = all.reduce(0) { $0 + $1.byteCount }
    guard all.count <= Self.makerKeyLimit, byteCount <= Self.makerByteLimit else {
      throw .makerLimit(held.origin.maker)
    }
  }

  /// The size of everything in the file except the keys, including the longest array head.
  private static let headBytes = 32
}

extension MemberKeys {
  fileprivate func admittedMaker(of held: HeldKey) -> PublicKey? {
    admitted.contains(held.origin.maker) ? held.origin.maker : nil
  }
}

extension HeldKey {
  /// The key's size in the file, in bytes, as if all numbers and array heads had the greatest length.
  fileprivate var byteCount: Int {
    Self.fixedBytes + 34 * origin.revoked.count
  }

  private static let fixedBytes = 200
}
