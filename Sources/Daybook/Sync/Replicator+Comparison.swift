import Bytes
import Crypto
import Journaling
package import Platform
package import Syncing

extension Replicator {
  /// The events that a peer holds at the start of a sync.
  struct Offer {
    var held: [UniqueID: [ClosedRange<UInt64>]]
    var takes = true
  }

  /// The events in a bundle or a folder; nil for a machine, which states its events only during the sync.
  func offer(of peer: PeerAddress) throws(DaybookError) -> Offer? {
    switch peer {
    case .tcp, .ssh: return nil
    case .file(let path):
      let contents = try inspectBundle(path)
      let held = contents.logs.map { ($0.replica, [ClosedRange<UInt64>](joining: $0.ranges)) }
      return Offer(held: Dictionary(uniqueKeysWithValues: held), takes: false)
    case .directory(let folder):
      return try wrap(DaybookError.sync) { () throws(SyncError) in
        Offer(
          held: try DirectoryPeer(at: folder, on: store.machine).claims(
            of: store.file.book))
      }
    case .store(let address):
      let ring = try exchange.storeKeys.ring()
      return try wrap(DaybookError.sync) { () throws(SyncError) in
        Offer(
          held: try SealedPeer(at: address, on: store.machine).claims(openedWith: ring))
      }
    }
  }

  /// The comparison of the logs held here with those of a peer, by the names of the devices.
  func comparison(of ours: Frontier, with offer: Offer) throws(DaybookError) -> [LogComparison] {
    let (here, now) = (ours.heldRanges, exchange.replica.hello.frontier)
    // Logs that are set aside were also received.
    var hereNow = now.heldRanges
    for (log, end) in store.journal.aside where end.sequence > 0 {
      hereNow[log] = [ClosedRange<UInt64>](joining: (hereNow[log] ?? []) + [1...end.sequence])
    }
    let names = try deviceList.devicesWithoutClocks().names
    return Set(here.keys).union(offer.held.keys).map { replica in
      LogComparison(
        device: names[replica] ?? replica.hex, replica: replica, here: here[replica] ?? [],
        there: offer.held[replica] ?? [], hereNow: hereNow[replica] ?? [],
        isForked: now.places(of: replica).count > 1,
        takes: offer.takes)
    }.sorted { ($0.device, $0.replica) < ($1.device, $1.replica) }
  }

  /// Inspects a bundle with the keys that this book contains, and stores nothing.
  package func inspectBundle(_ path: Path) throws(DaybookError) -> BundleContents {
    let keys = try publicKeys()
    return try wrap(DaybookError.sync) { () throws(SyncError) in
      try Bundle.inspect(path, on: store.machine) { keys[$0] }
    }
  }

  /// The key of each replica with events in the book.
  private func publicKeys() throws(DaybookError) -> [UniqueID: PublicKey] {
    var keys: [UniqueID: PublicKey] = [:]
    for device in try deviceList.devicesWithoutClocks() {
      // If the key is missing, no signature is checked.
      keys[device.replica] = try? deviceList.publicKey(of: device)
    }
    return keys
  }
}

extension Frontier {
  /// The events held on any branch, by replica.
  var heldRanges: [UniqueID: [ClosedRange<UInt64>]] {
    var held: [UniqueID: [ClosedRange<UInt64>]] = [:]
    for place in places {
      let ranges = (place.sequence > 0 ? [1...place.sequence] : []) + place.islands
      held[place.log] = [ClosedRange<UInt64>](joining: (held[place.log] ?? []) + ranges)
    }
    return held.filter { !$0.value.isEmpty }
  }
}
