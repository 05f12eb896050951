import Bytes
import Crypto
import Journaling

/// Weighs what comes against the quotas of the devices.
final class QuotaKeeper {
  let store: LogStore
  let localDevice: LocalDevice
  private let projector: Projector
  /// What each device has written by what is posted, with what has come since.
  private var accounts: QuotaAccounts?
  /// What the accounts were made by; they are made again when it is something else.
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
    var found: Set<[UInt8]> = []
    return devices.compactMap { device in
      guard device.standing != .waiting, found.insert(device.key).inserted,
        let key = try? PublicKey(device.key), !accounts.isOwn(key)
      else { return nil }
      return DeviceUsage(
        device: device, used: accounts.usage[key] ?? Quota(), quota: accounts.quota(of: key))
    }
  }

  /// What is held, weighed anew.
  func currentAccounts() throws(DaybookError) -> QuotaAccounts {
    let ledger = try projector.posting().ledger
    return try makeAccounts(by: try projector.replayer.trustReader.trust(by: ledger), ledger)
  }

  private func makeAccounts(
    by trust: Trust, _ ledger: Ledger
  ) throws(DaybookError) -> QuotaAccounts {
    var held: [UniqueID: Quota] = [:]
    for (log, end) in store.journal.logs {
      let before = store.journal.lineage(of: log).first - 1
      held[log] = Quota(
        logs: 1, events: end.sequence - min(before, end.sequence),
        bytes: ledger.valueBytes[log] ?? 0)
    }
    let own = Set(try localDevice.ownLogs().ends.keys.compactMap { trust.keys[$0] })
    return QuotaAccounts(trust, own: own, held: held, quotas: store.file.quotas)
  }
}

// MARK: - What comes

extension QuotaKeeper {
  /// Makes sure that what comes of one of the book's logs fits into the quota of its device.
  ///
  /// The accounts are those of the events that are posted, with what has come since, by whatever session.
  ///
  /// - Parameters:
  ///   - frame: A frame of the log.
  ///   - replica: Whose log it is.
  /// - Returns: What to charge if the frame holds something new; nil where nobody pays.
  /// - Throws: ``JournalError/overQuota(_:)`` when it does not fit.
  func weigh(
    _ frame: borrowing Frame, of replica: UniqueID
  ) throws(JournalError) -> QuotaAccounts.Charge? {
    // Who joins takes the book as its holder has it.
    guard !store.folder.isJoining else { return nil }
    try openAccounts()
    if let key = accounts?.key(of: replica), accounts?.isOwn(key) ?? false { return nil }
    var charge = QuotaAccounts.Charge(
      log: replica, key: accounts?.key(of: replica),
      news: Quota(
        events: UInt64(frame.events.count), bytes: QuotaAccounts.valueBytes(of: frame)))
    if charge.key == nil {
      charge.key = frame.opening?.publicKey
      charge.news.logs = 1
    }
    guard accounts?.admits(charge) ?? true else { throw .overQuota(replica) }
    return charge
  }

  private func openAccounts() throws(JournalError) {
    let current = Basis(memory: projector.generation, quotas: store.file.quotas)
    guard accounts == nil || current != basis else { return }
    accounts = nil
    do throws(DaybookError) {
      let made = try currentAccounts()
      // To look at who takes part may have brought the read model up to date.
      basis = Basis(memory: projector.generation, quotas: store.file.quotas)
      accounts = made
    } catch .journal(let error) {
      throw error
    } catch .disk(let error) {
      throw .disk(error)
    } catch {
      // Who takes part cannot be told now, so there is nothing to weigh by; nobody new is let in either.
    }
  }

  /// Counts what has come.
  func take(_ charge: QuotaAccounts.Charge) { accounts?.take(charge) }
}
