package import Bytes
import Crypto
import Journaling

/// Lists the devices that take part in the book or are waiting to be admitted.
package struct DeviceList {
  let store: LogStore
  let localDevice: LocalDevice
  let trustReader: TrustReader
  let projector: Projector
  let peerNotes: PeerNotes

  /// All devices that take part in the book, took part in it, or are waiting to be admitted, by name.
  ///
  /// The branches of a forked log are listed next to that log.
  package func devices() throws(DaybookError) -> [Device] { try devices(by: try roster()) }

  func devices(by roster: Roster) throws(DaybookError) -> [Device] {
    var devices = try devicesWithoutClocks(by: roster)
    try tellClocks(of: &devices)
    return devices
  }

  /// All devices as in ``devices()``, but without the properties that describe their clocks, which may require reading
  /// logs.
  package func devicesWithoutClocks() throws(DaybookError) -> [Device] {
    try devicesWithoutClocks(by: try roster())
  }

  func devicesWithoutClocks(by roster: Roster) throws(DaybookError) -> [Device] {
    let own = try localDevice.lastOwnLog
    let tree = store.logTree
    let trust = roster.trust
    var devices = roster.silentDevices(besides: store.journal.logs.keys)
    if own == nil { try markThis(among: &devices, trust) }
    for (log, end) in store.journal.logs {
      guard let key = trust.keys[log] else { continue }
      var device = device(log, key, end, trust.names[log] ?? log.hex, roster, isThis: log == own)
      device.part = branch(log, tree).map(Device.Part.branch)
      devices.append(device)
    }
    // If a branch contains the first event, its trunk has no events.
    for (log, end) in store.journal.aside
    where tree.forks[log] == nil || tree.lineage(of: log).first == 1 {
      guard case .open(let opening) = try store.openEvent(of: log) else { continue }
      devices.append(
        device(log, opening.publicKey, end, opening.name, roster, isThis: log == own))
    }
    Self.tellNamesakes(of: &devices)
    roster.names.tellNames(of: &devices, seenBy: own.flatMap { trust.keys[$0] })
    Self.tellLogs(of: &devices)
    try SponsorReader(store: store, trust: trust).tellSponsors(of: &devices)
    return devices.sorted {
      ($0.name, $0.branch ?? 0, $0.replica) < ($1.name, $1.branch ?? 0, $1.replica)
    }
  }

  /// The admitted devices.
  func roster() throws(DaybookError) -> Roster {
    let ledger = try projector.posting().ledger
    return Roster(try trustReader.trust(by: ledger), by: ledger)
  }

  /// Marks this device among those without a log, if its log was once here and is now lost.
  private func markThis(among silent: inout [Device], _ trust: Trust) throws(DaybookError) {
    guard let lost = try store.folder.lastWrittenLog(), let key = trust.keys[lost] else { return }
    for place in silent.indices where silent[place].key == key.bytes { silent[place].isThis = true }
  }

  private static func tellNamesakes(of devices: inout [Device]) {
    var keys: [String: Set<[UInt8]>] = [:]
    for device in devices where !device.isFormerKey {
      keys[device.name, default: []].insert(device.key)
    }
    for index in devices.indices where !devices[index].isFormerKey {
      devices[index].hasNamesake = keys[devices[index].name]?.count ?? 0 > 1
    }
  }

  /// If several logs have the same key, marks each as one log of the device.
  private static func tellLogs(of devices: inout [Device]) {
    var counts: [[UInt8]: Int] = [:]
    for device in devices where device.hasLog && device.part == nil {
      counts[device.key, default: 0] += 1
    }
    for index in devices.indices where devices[index].hasLog && devices[index].part == nil {
      if counts[devices[index].key] ?? 0 > 1 { devices[index].part = .log }
    }
  }

  /// The number of a branch among the branches of its replica.
  ///
  /// Devices that hold the same events compute the same number.
  private func branch(_ log: UniqueID, _ tree: LogTree) -> Int? {
    guard tree.forks[log] != nil else { return nil }
    return tree.subtree(of: tree.replica(of: log)).dropFirst().firstIndex(of: log)
  }

  func device(
    _ log: UniqueID, _ key: PublicKey, _ end: LogEnd, _ name: String, _ roster: Roster,
    isThis: Bool
  ) -> Device {
    let trust = roster.trust
    let standing = roster.standing(of: key, log: log)
    let before = store.journal.lineage(of: log).first - 1
    let last = standing == .revoked ? min(trust.admitted[log] ?? 0, end.sequence) : end.sequence
    func events(after sequence: UInt64) -> UInt64 {
      store.countOfPresent(in: log, after: sequence, upTo: end.sequence, by: roster.ledger)
    }
    return Device(
      replica: log, name: name, fingerprint: key.fingerprint, key: key.bytes,
      events: events(after: before), cut: events(after: max(last, before)), last: end.sequence,
      hasLog: true, admission: roster.admission(of: key), keeping: roster.keeping(of: key),
      removal: roster.removal(of: key), lastWritten: end.time,
      standing: standing, isThis: isThis, isFormerKey: trust.successors[key] != nil)
  }

  /// Finds a device by its name, its id, or the first words of its fingerprint, ignoring case if there is no exact
  /// match.
  ///
  /// A device can have several logs, but only one key. If the words name one of the logs, the result is that log of the
  /// device.
  package func device(called words: String) throws(DaybookError) -> Device {
    try Self.device(called: words, among: try devices())
  }

  /// The devices, except revoked ones, that had a given name and now have another name.
  package func formerHolders(of name: String) throws(DaybookError) -> [Device.FormerHolder] {
    try roster().names.formerHolders(of: name)
  }

  static func device(
    called words: String, among devices: [Device]
  ) throws(DaybookError) -> Device {
    let found = devices.called(words)
    guard let device = found.first else { throw .unknownPeer(words) }
    var keys: Set<[UInt8]> = []
    let choices = found.map(\.withoutPart).filter { keys.insert($0.key).inserted }
    guard choices.count == 1 else { throw .severalDevices(words, choices) }
    return device.part == .log && !device.isLogCalled(words) ? device.withoutPart : device
  }

  /// The names of devices by their logs, including logs that are no longer held.
  package func deviceNames() throws(DaybookError) -> [UniqueID: String] {
    var names = try peerNotes.peers().peers.mapValues(\.name)
    let mark = try store.folder.mark()
    let own = [store.file.writers[mark], store.file.left[mark]?.log].compactMap(
      \.self)
    for log in own + (store.file.earlier[mark] ?? []).map(\.log) {
      names[log] = store.file.device
    }
    let roster = try roster()
    for (log, name) in roster.trust.names where names[log] == nil { names[log] = name }
    for device in try devicesWithoutClocks(by: roster) { names[device.replica] = device.name }
    return names
  }
}
