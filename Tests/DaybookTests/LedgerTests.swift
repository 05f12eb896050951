import Bytes
import Crypto
import Journaling
import Testing

@testable import Daybook

/// The trust events that the logs have, and those that they have lost.
struct LedgerTests {
  private static let log = UniqueID(high: 1, low: 1)

  /// An event of the log, or one that the log had before it was lost, with the same sequence as all others.
  private static func event(_ hash: UInt64, _ verb: TrustVerb) -> TrustEvent {
    TrustEvent(
      at: Landmark(log: log, sequence: 6, hash: UniqueID(high: 2, low: hash)), verb: verb)
  }

  private static func entry(
    _ event: TrustEvent, on branch: UInt64, erasing entity: EventName? = nil
  ) -> TrustRecord.Entry {
    TrustRecord.Entry(
      replica: log,
      event: EventName(log: UniqueID(high: 3, low: branch), sequence: event.sequence),
      hash: event.place.hash, verb: event.verb, entity: entity)
  }

  @Test func `Ledger: lost events count beside the event with their sequence`() throws {
    let key = try PublicKey([UInt8](repeating: 7, count: 32))
    let held = Self.event(1, .admit(key, name: "phone"))
    let revoke = Self.event(2, .revoke(key, kept: []))
    let erase = Self.event(3, .erase(Reference(sequence: 4)))
    let entity = EventName(log: Self.log, sequence: 4)
    var ledger = Ledger()
    ledger.note(held, time: 5)
    ledger.remember(Self.entry(revoke, on: 2), in: Self.log)
    ledger.remember(Self.entry(erase, on: 3, erasing: entity), in: Self.log)
    // The file may repeat an event under two names of its branch.
    ledger.remember(Self.entry(revoke, on: 4), in: Self.log)
    for ledger in [ledger, try Ledger(decoding: ledger.encode())] {
      #expect(ledger.trustEvents == [held, revoke, erase])
      #expect(ledger.trustTimes == [held.place: 5])
      #expect(ledger.remembered == [revoke.place: Self.log, erase.place: Self.log])
      #expect(ledger.erasing.erases == [.init(place: erase.place, entity: entity)])
    }

    // Only the event that has been recovered is no longer remembered.
    ledger.note(erase, time: 8)
    #expect(ledger.trustEvents == [held, revoke, erase])
    #expect(ledger.trustTimes == [held.place: 5, erase.place: 8])
    #expect(ledger.remembered == [revoke.place: Self.log])
    #expect(ledger.erasing.erases == [])
  }
}
