import Bytes
import Journaling
import Platform
import Sealing
package import Syncing

/// Makes a new store key, seals the objects of all remembered stores with it, and forgets the earlier keys.
package struct StoreResealer {
  private let replicator: Replicator

  private var store: LogStore { replicator.store }
  private var exchange: PeerExchange { replicator.exchange }
  private var storeKeys: StoreKeyKeeper { replicator.exchange.storeKeys }

  package init(_ replicator: Replicator) { self.replicator = replicator }

  package struct Outcome: Sendable {
    /// The new key.
    package let made: ListedStoreKey
    package let stores: [Visit]
    /// The number of keys that were forgotten; nil if this device could not examine all stores.
    package let forgotten: Int?
  }

  /// The result for one store.
  package struct Visit: Sendable {
    /// The name of the peer.
    package let name: String
    package let result: Result<ResealReport, DaybookError>
  }

  /// Makes a new key, seals the objects of all remembered stores with it, and forgets keys that are no longer used.
  ///
  /// - Returns: The result for each store. If a store cannot be used now, the others are still sealed again, but no key
  ///   is forgotten.
  /// - Throws: ``DaybookError/storeKey(_:)`` if this device cannot make a key, or another ``DaybookError``.
  package func run() throws(DaybookError) -> Outcome {
    let former = Set(try storeKeys.ring().keys.map(\.key.id))
    let made = try storeKeys.rotate()
    var visits: [Visit] = []
    for name in try addresses().map(\.name) {
      do throws(DaybookError) {
        visits.append(Visit(name: name, result: .success(try reseal(name))))
      } catch {
        visits.append(Visit(name: name, result: .failure(error)))
      }
    }
    return Outcome(made: made, stores: visits, forgotten: try forget(former, after: visits))
  }

  /// The remembered stores of this book.
  private func addresses() throws(DaybookError) -> [(name: String, address: StoreAddress)] {
    try replicator.contactBook.contacts().compactMap { contact in
      guard case .store(let address)? = contact.address, address.book == store.file.book else {
        return nil
      }
      return (contact.name, address)
    }
  }

  /// The address of a remembered store, which a sync may have changed.
  private func address(of name: String) throws(DaybookError) -> StoreAddress {
    guard let address = try addresses().first(where: { $0.name == name })?.address else {
      throw .noSuchPeer(name)
    }
    return address
  }

  private func session(with address: StoreAddress) -> SealedExchange {
    SealedExchange(replica: exchange.replica, storeKeys: storeKeys, address: address)
  }

  private func reseal(_ name: String) throws(DaybookError) -> ResealReport {
    // This sync receives the keys and the revocations in the store, and refuses a store that has been emptied.
    _ = try replicator.sync(with: .store(address(of: name)))
    return try session(with: address(of: name)).reseal()
  }

  /// Forgets keys that no store uses any longer.
  ///
  /// The stores are listed once more, because other devices may have used these keys in the meantime. The packages are
  /// removed first, because this device would fetch the keys again as long as a store contained their packages.
  ///
  /// - Returns: The number of keys; nil if a store could not be used.
  private func forget(
    _ former: Set<UniqueID>, after visits: [Visit]
  ) throws(DaybookError) -> Int? {
    let addresses = try addresses().map(\.address)
    let failures = visits.count { if case .failure = $0.result { true } else { false } }
    guard !addresses.isEmpty, failures == 0 else { return nil }
    var needless = former
    for address in addresses {
      guard let used = try session(with: address).keysInUse() else { return nil }
      needless.subtract(used)
    }
    if let key = try storeKeys.ring().sealingKey(knowing: storeKeys.members()) {
      needless.remove(key.id)
    }
    for address in addresses where !needless.isEmpty {
      needless = try session(with: address).removePackages(of: needless)
    }
    let forgotten = needless
    return try storeKeys.change { ring throws(DaybookError) in
      let before = ring.keys.count
      ring.forget(forgotten)
      return before - ring.keys.count
    }
  }
}
