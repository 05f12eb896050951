import Bytes
import Crypto

/// Remembers how many events of this device each peer did not keep at the last sync with it.
///
/// Only the peer stores its quota for this device. If the peer lowers the quota, such events are the only sign of the
/// change here, so reports mention them until a sync leaves none. The notes are stored in the read model. If it is
/// rebuilt, the next sync restores the notes.
struct UntakenNotes {
  let projector: Projector

  private var stored: ViewNote { ViewNote(name: "untaken", projector: projector) }

  /// The number of events that each peer did not keep, by the bytes of its key.
  func counts() throws(DaybookError) -> [[UInt8]: UInt64] {
    var counts: [[UInt8]: UInt64] = [:]
    for member in try stored.read()?.members ?? [] {
      guard let key = Hex.decode(member.name),
        let count = member.value.integer.flatMap(UInt64.init(exactly:)), count > 0
      else { continue }
      counts[key] = count
    }
    return counts
  }

  /// Notes the number of events that a peer did not keep at a sync.
  func note(_ count: UInt64, by key: PublicKey) throws(DaybookError) {
    var counts = try counts()
    guard counts[key.bytes] ?? 0 != count else { return }
    counts[key.bytes] = count == 0 ? nil : count
    let members = counts.map { JSON.Member(Hex.encode($0), .integer(Int64(clamping: $1))) }
    try stored.write(.object(members.sorted { $0.name < $1.name }))
  }
}
