import Crypto
import Journaling
import Testing

@testable import Daybook

/// Quotas and frames that repeat events which the receiver holds.
struct RepackedQuotaTests {
  @Test func `Quota: held events at the beginning of a frame are charged once`() throws {
    let (_, books) = try TrustingTests.office("one", "two", seed: 9_132)
    let flood = try Flood()
    try flood.admit(into: books[0])
    try books[0].admin.setQuota(
      Quota(logs: 3, events: 6, bytes: 1 << 20), of: flood.device(in: books[0]))
    let bodies = (0..<3).map { _ in TrustVerb.admit(flood.key, name: "evil").encode() }
    var part = try Flood()
    try part.begin(1, bodies: [bodies[0]])
    #expect(try part.send(to: books[0]) == [])
    // A sender need not repack a frame whose first events the receiver holds.
    var whole = try Flood()
    try whole.begin(1, bodies: bodies)
    #expect(whole.logs == part.logs)
    #expect(try whole.send(to: books[0]) == [])
    let usage = try books[0].statusReader.usage().first { $0.device.key == flood.key.bytes }
    #expect(usage?.used.events == 5)
  }

  @Test func `Quota: branches that were left out are reported until they arrive`() throws {
    let (_, books) = try TrustingTests.office("one", "two", seed: 9_133)
    var flood = try Flood()
    try flood.admit(into: books[0])
    let quota = Quota(logs: 3, events: 100, bytes: 1 << 20)
    try books[0].admin.setQuota(quota, of: flood.device(in: books[0]))
    try flood.begin(1, branches: 5)
    let notes = HeldBackNotes(store: books[0].core.store, projector: books[0].core.projector)
    try notes.note(try flood.send(to: books[0]))
    #expect(try notes.replicas() == [flood.logs[0]])
    try books[0].admin.setQuota(.standard, of: flood.device(in: books[0]))
    #expect(try flood.send(to: books[0]) == [])
    #expect(try notes.replicas() == [])
  }
}
