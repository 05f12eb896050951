import Bytes
import Crypto
import Journaling

/// Checks received events against the quotas of the devices.
final class QuotaKeeper {
  let store: LogStore
  let localDevice: LocalDevice
  private let projector: Projector
  /// The amount that each device has written, in the folded events and the events received since.
  private var accounts: QuotaAccounts?
  /// The state from which the accounts were computed.
  ///
  /// The accounts are computed again when this state changes.
  private var basis: Basis?

  private struct Basis: Equatable {
    let memory: Int
    let quotas: [PublicKey: Quota]
  }

  init(of store: LogStore, as device: LocalDevice, by projector: Projector) {
    (self.store, self.localDevice, self.projector) = (store, device, projector)
  }

  func usage(
    among devices: [Device], _ trust: Trust, _ ledger: Ledger
  ) throws(DaybookError) -> [DeviceUsage] {
    let accounts = try makeAccounts(by: trust, ledger)
    let heldBack = try HeldBackNotes(store: store, projector: projector).replicas()
    let heldBackKeys = Set(heldBack.compactMap { trust.keys[$0] })
    var found: Set<[UInt8]> = []
    return devices.compactMap { device in
      guard device.standing != .waiting, !device.isThis, found.insert(device.key).inserted,
        let key = try? PublicKey(device.key), !accounts.isOwn(key)
      else { return nil }
      return DeviceUsage(
        device: device, used: accounts.usage[key] ?? Quota(), quota: accounts.quota(of: key),
        isHeldBack: heldBackKeys.contains(key) || heldBack.contains(device.replica))
    }
  }

  /// Computes the accounts from the current state.
  func currentAccounts() throws(DaybookError) -> QuotaAccounts {
    let ledger = try projector.posting().ledger
    return try makeAccounts(by: try projector.replayer.trustReader.trust(by: ledger), ledger)
  }

  private func makeAccounts(
    by trust: Trust, _ ledger: Ledger
  ) throws(DaybookError) -> QuotaAccounts {
    let own = Set(try localDevice.ownLogs().ends.keys.compactMap { trust.keys[$0] })
    return QuotaAccounts(
      trust, own: own, held: heldAmounts(by: ledger), quotas: store.file.quotas)
  }

  /// The amount that is held of each log.
  private func heldAmounts(by ledger: Ledger) -> [UniqueID: Quota] {
    var held: [UniqueID: Quota] = [:]
    for (log, end) in store.journal.logs {
      let before = store.journal.lineage(of: log).first - 1
      held[log] = Quota(
        logs: 1, events: end.sequence - min(before, end.sequence),
        bytes: ledger.chargedBytes[log] ?? 0)
    }
    return held
  }

  /// The amount that this device has written under its current key.
  ///
  /// Other devices compare it with the quota that they have for this device. Nothing in the book tells this device what
  /// they decide.
  func ownAmount(_ trust: Trust, _ ledger: Ledger) -> Quota {
    guard let key = try? localDevice.shownKey else { return Quota() }
    return heldAmounts(by: ledger).filter { trust.keys[$0.key] == key }.values
      .reduce(Quota(), +)
  }
}

// MARK: - Receiving

extension QuotaKeeper {
  /// Checks that a received frame fits into the quota of its device.
  ///
  /// The accounts cover the folded events, and the events that any session has received since.
  ///
  /// - Parameters:
  ///   - frame: The frame.
  ///   - replica: The replica that wrote the frame.
  /// - Returns: The charge to apply if the frame contains new events; nil if no key is charged.
  /// - Throws: ``JournalError/overQuota(_:)`` if the frame does not fit.
  func weigh(
    _ frame: borrowing Frame, of replica: UniqueID
  ) throws(JournalError) -> QuotaAccounts.Charge? {
    // A device that joins accepts the book as the peer has it.
    guard !store.folder.isJoining else { return nil }
    try openAccounts()
    if let key = accounts?.key(of: replica), accounts?.isOwn(key) ?? false { return nil }
    let held = countOfHeld(in: frame, of: replica)
    var charge = QuotaAccounts.Charge(
      log: replica, key: accounts?.key(of: replica),
      news: Quota(
        events: UInt64(frame.events.count - held),
        bytes: EventCharge.bytes(of: frame, after: held)))
    if charge.key == nil {
      charge.key = frame.opening?.publicKey
      charge.news.logs = 1
    }
    guard accounts?.admits(charge) ?? true else { throw .overQuota(replica) }
    // Only the journal can tell whether the frame begins a branch.
    charge.branchLimit = accounts?.spareLogs(beside: charge) ?? .max
    return charge
  }

  /// The number of events at the beginning of a frame that are held here and have already been charged.
  ///
  /// A sender need not repack a frame whose first events the receiver holds.
  private func countOfHeld(in frame: borrowing Frame, of replica: UniqueID) -> Int {
    var count = 0
    for end in store.journal.ends(of: replica) where end.sequence >= frame.firstSequence {
      let index = end.sequence - frame.firstSequence
      guard index < UInt64(frame.events.count) else { continue }
      if frame.events[Int(index)].hash == end.hash { count = max(count, Int(index) + 1) }
    }
    return count
  }

  /// The key whose memory quota is used by a call from a peer.
  ///
  /// A device can admit any number of keys, and they all use its quota.
  func sponsor(of peer: PublicKey) throws(JournalError) -> PublicKey {
    guard !store.folder.isJoining, store.file.book != .none else { return peer }
    try openAccounts()
    return accounts?.sponsor(of: peer) ?? peer
  }

  private func openAccounts() throws(JournalError) {
    let current = Basis(memory: projector.generation, quotas: store.file.quotas)
    guard accounts == nil || current != basis else { return }
    accounts = nil
    do throws(DaybookError) {
      let made = try currentAccounts()
      // Computing the members may have updated the read model.
      basis = Basis(memory: projector.generation, quotas: store.file.quotas)
      accounts = made
    } catch .journal(let error) {
      throw error
    } catch .disk(let error) {
      throw .disk(error)
    } catch {
      // If the members cannot be computed, quotas are not checked, and no new device is admitted.
    }
  }

  /// Adds received events to the accounts.
  func take(_ charge: QuotaAccounts.Charge) { accounts?.take(charge) }
}
