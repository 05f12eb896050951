import Bytes
import Crypto
import Journaling

/// Finds the revoked devices on which waiting devices depend.
struct SponsorReader {
  let store: LogStore
  let trust: Trust

  /// Marks the waiting devices that a revoked device has let in, or that claim to be a revoked device under a new key.
  ///
  /// A thief can let in its new key only after the last event that counts, so such a key waits for admission in the
  /// same way as a friend's key does, and may have any name.
  func tellSponsors(of devices: inout [Device]) throws(DaybookError) {
    guard !trust.revokedKeys.isEmpty else { return }
    let names = Dictionary(devices.map { ($0.key, $0.listedName) }) { first, _ in first }
    let sponsors = Dictionary(trust.sponsors.map { ($0.key.bytes, $0.value) }) { first, _ in first }
    for place in devices.indices where devices[place].standing == .waiting {
      let device = devices[place]
      var sponsor = sponsors[device.key]
      if sponsor == nil { sponsor = try claimed(by: device) }
      guard let sponsor else { continue }
      devices[place].sponsor = Device.Sponsor(
        name: names[sponsor.key.bytes] ?? trust.name(of: sponsor.key),
        fingerprint: sponsor.key.fingerprint, link: sponsor.link)
    }
  }

  /// The revoked key that a device claims to have given up.
  private func claimed(by device: Device) throws(DaybookError) -> KeySponsor? {
    guard device.hasLog, let left = try keyLeft(by: device.replica),
      trust.revokedKeys.contains(left)
    else { return nil }
    return KeySponsor(key: left, link: .claim)
  }

  /// The number of events at the beginning of a log that may state which log its device has left.
  private static let openingEvents: UInt64 = 4

  /// The key that the device of a log says it has given up.
  private func keyLeft(by log: UniqueID) throws(DaybookError) -> PublicKey? {
    var key: PublicKey?
    try store.forEachFrame(of: log, upTo: Self.openingEvents) { frame, _ in
      for event in frame.events where event.sequence <= Self.openingEvents {
        guard
          case .trust(.retire(let left)) = JournalBody(frame.content.span.extracting(event.body))
        else { continue }
        key = trust.keys[left.log] ?? key
      }
    }
    return key
  }
}
