import Bytes
import Crypto
import Journaling

/// What a device has written and may write.
package struct DeviceUsage: Sendable {
  package var device: Device
  /// What it has written, and the devices that would not take part without it.
  package var used: Quota
  package var quota: Quota

  /// The part of its quota that the device has used up, in percent.
  package var percent: Int { Int(min(1, used.share(of: quota)) * 100) }
}

extension Book {
  /// What the devices of the book have written, each key once, this device left out; by name.
  package func usage() throws(DaybookError) -> [DeviceUsage] {
    let ledger = try remembered(by: try view()).ledger
    let roster = Roster(try trust(by: ledger), by: ledger)
    return try usage(among: try devices(by: roster), roster.trust, ledger)
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

  /// Allows a device another quota from now on; what waited comes at the next sync.
  package func setQuota(_ quota: Quota, of device: Device) throws(DaybookError) {
    let key = try publicKey(of: device)
    try withLock { () throws(DaybookError) in
      file.quotas[key] = quota == .standard ? nil : quota
      try saveFile()
    }
    accounts = nil
  }

  /// Allows the devices whose logs came with a book that was joined twice what they have written.
  ///
  /// Nobody has to allow anything to take over a book that was there before.
  func allowWhatWasJoined() throws(DaybookError) {
    let accounts = try currentAccounts()
    let large = accounts.usage.filter { key, used in
      !(used + used).fits(accounts.quota(of: key))
    }
    guard !large.isEmpty else { return }
    try withLock { () throws(DaybookError) in
      for (key, used) in large {
        let (quota, twice) = (accounts.quota(of: key), used + used)
        file.quotas[key] = Quota(
          logs: max(quota.logs, twice.logs), events: max(quota.events, twice.events),
          bytes: max(quota.bytes, twice.bytes))
      }
      try saveFile()
    }
    self.accounts = nil
  }

  /// What is held, weighed anew.
  private func currentAccounts() throws(DaybookError) -> QuotaAccounts {
    let ledger = try remembered(by: try view()).ledger
    return try makeAccounts(by: try trust(by: ledger), ledger)
  }

  private func makeAccounts(
    by trust: Trust, _ ledger: Ledger
  ) throws(DaybookError) -> QuotaAccounts {
    var held: [UniqueID: Quota] = [:]
    for (log, end) in journal.logs {
      let before = journal.lineage(of: log).first - 1
      held[log] = Quota(
        logs: 1, events: end.sequence - min(before, end.sequence),
        bytes: ledger.valueBytes[log] ?? 0)
    }
    let own = Set(try ownLogs().ends.keys.compactMap { trust.keys[$0] })
    return QuotaAccounts(trust, own: own, held: held, quotas: file.quotas)
  }
}

// MARK: - What comes

extension Book {
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
    guard !isJoining else { return nil }
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
    guard accounts == nil else { return }
    do throws(DaybookError) {
      accounts = try currentAccounts()
    } catch .journal(let error) {
      throw error
    } catch .disk(let error) {
      throw .disk(error)
    } catch {
      // Who takes part cannot be told now, so there is nothing to weigh by; nobody new is let in either.
    }
  }
}
