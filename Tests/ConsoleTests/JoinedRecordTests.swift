import Bytes
import Console
import Phrasing
import Platform
import Testing

/// Records that are merged on two devices and then separated.
struct JoinedRecordTests {
  @Test func `Merged records: a sync reports the conflicts of a merge`() throws {
    let stage = try Stage.pair()
    _ = stage.answer("add", "todo", "Mop", "--note", "one")
    _ = stage.answer("add", "todo", "Dust", "--note", "two")
    stage.meet()
    _ = stage.answer("merge", "Mop", "Dust", "--keep-both")
    _ = stage.answer("sync", "stick")
    let told = stage.answer("-C", "phone", "sync", "stick")
    #expect(told.contains("2 new conflicts to settle:"), "\(told)")
    #expect(stage.answer("-C", "phone", "status").contains("conflicts  2"))
  }

  @Test func `Merged records: after separating, values written meanwhile are reported for both`()
    throws
  {
    let stage = Stage()
    _ = stage.answer("add", "birthday", "Ann Lee", "1990-01-01")
    _ = stage.answer("add", "birthday", "Zoe Lee", "1991-02-02")
    _ = stage.answer("merge", "Ann", "Zoe", "--keep-both")
    _ = stage.answer("resolve", "Lee", "first-name", "--value", "Ann")
    let outcome = stage.run("undo", "--command", "4")
    #expect(outcome.code == .done)
    #expect(
      outcome.error.contains(
        "both records keep the values that were written while they were merged: first-name. 'daybook log "
      ),
      "\(outcome.error)")
    // If nothing was written while the records were merged, each has its own values again.
    let other = Stage()
    _ = other.answer("add", "birthday", "Ann Lee", "1990-01-01")
    _ = other.answer("add", "birthday", "Zoe Lee", "1991-02-02")
    _ = other.answer("merge", "Ann", "Zoe")
    #expect(other.run("undo").error == "")
  }
}
