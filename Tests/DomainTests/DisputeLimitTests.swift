import Domain
import Testing

/// The numbers of events that are compared to find a dispute.
struct DisputeLimitTests {
  private var script = Script()

  /// Deletes a list concurrently `count` times; a restore has not seen the first delete.
  @Test(arguments: [16, 17])
  mutating func `Dispute: the latest 16 deletes of a record count`(count: Int) {
    let list = script.add(script.log(), .list)
    var deletes: [EventKey] = []
    for _ in 0..<count { deletes.append(script.delete(script.log(), list, saw: [list])) }
    let restore = script.restore(script.log(), list, saw: [list] + deletes.dropFirst())
    let document = script.records.document(of: list)
    #expect(document?.isAlive == true)
    let isFirstCounted = count == 16
    #expect(document?.deleteAgainstEdit?.delete.key == (isFirstCounted ? deletes[0] : nil))
    #expect(document?.deleteAgainstEdit?.giver.key == (isFirstCounted ? restore : nil))
  }

  /// Edits a list concurrently `count` times; a delete has not seen the first edit.
  @Test(arguments: [16, 17])
  mutating func `Dispute: the latest 16 givers of a record count`(count: Int) {
    let list = script.add(script.log(), .list)
    var edits: [EventKey] = []
    for _ in 0..<count { edits.append(script.edit(script.log(), list, saw: [list])) }
    let delete = script.delete(script.log(), list, saw: [list] + edits.dropFirst())
    let document = script.records.document(of: list)
    #expect(document?.isAlive == true)
    let isFirstCounted = count == 16
    #expect(document?.deleteAgainstEdit?.delete.key == (isFirstCounted ? delete : nil))
    #expect(document?.deleteAgainstEdit?.giver.key == (isFirstCounted ? edits[0] : nil))
  }

  /// Settles a dispute, and then edits another member of the document in `later` logs.
  @Test(arguments: [63, 64])
  mutating func `Dispute: the latest 64 settlers of a document count`(later: Int) {
    let log = script.log()
    let list = script.add(log, .list)
    let other = script.add(log, .list)
    let alias = script.alias(log, list, other)
    let delete = script.delete(script.log(), list, saw: [alias])
    let edit = script.edit(script.log(), list, saw: [alias])
    #expect(script.records.document(of: list)?.deleteAgainstEdit?.giver.key == edit)
    script.delete(script.log(), list, saw: [alias, delete, edit])
    #expect(script.records.document(of: list)?.deleteAgainstEdit == nil)
    for _ in 0..<later { script.edit(script.log(), other, saw: [alias]) }
    let document = script.records.document(of: list)
    #expect(document?.isAlive == true)
    #expect(document?.deleteAgainstEdit?.delete.key == (later == 63 ? nil : delete))
    #expect(document?.deleteAgainstEdit?.giver.key == (later == 63 ? nil : edit))
  }
}
