import Bytes
import Domain
import Journaling
import ReadModel
import Testing

@testable import Daybook

/// Reports in receipts about events that were counted during the fold.
struct FoldedNewsTests {
  /// A book of two devices with events of all kinds except erasures.
  private func book() throws -> Book {
    let office = Office(seed: 821)
    let one = try office.found("one")
    _ = try one.replicator.sync(with: Office.directory)
    let two = try office.join("two")
    _ = try two.commands.perform(.addList(name: "Home", colour: nil))
    _ = try two.replicator.sync(with: Office.directory)
    _ = try one.replicator.sync(with: Office.directory, admission: .always)
    let bobs = try (0..<2).map { _ in
      let request = Request.addBirthday(firstName: "Bob", lastName: nil, birthdate: nil)
      return try #require(try one.commands.perform(request).changes.first).document.id
    }
    _ = try one.commands.perform(.merge(bobs[0], bobs[1]))
    let lists = try one.view().lists.lists().map(\.head.id)
    _ = try one.commands.perform(.edit(lists[0], [.init(.note, .value(.text("ours")))]))
    for title in ["Milk", "Oats", "Soap"] {
      let request = Request.addTodo(title: title, list: .none, priority: nil, due: nil)
      let todo = try #require(try one.commands.perform(request).changes.first).document.id
      if title == "Oats" { _ = try one.commands.perform(.delete([todo])) }
    }
    _ = try one.undoEngine.undo()
    try one.admin.rename(try one.deviceList.device(called: "one"), to: "first")
    return one
  }

  private func changeSummary(
    of book: Book, behind start: UInt64
  ) throws(DaybookError) -> [UniqueID: ChangeSummary] {
    let ledger = try book.core.projector.remembered(by: book.view()).ledger
    let events = ledger.folded.compactMapValues { _ in start }.filter { log, start in
      start < book.core.store.journal.logs[log]?.sequence ?? 0
    }.reduce(into: [UniqueID: [ClosedRange<UInt64>]]()) { events, entry in
      events[entry.key] = [
        entry.value + 1...(book.core.store.journal.logs[entry.key]?.sequence ?? 0)
      ]
    }
    return try book.changeSummaryReader.changes(
      by: events, try book.core.trustReader.trust(by: ledger)
    ) {
      !$1.hides($0)
    }
  }

  @Test(arguments: [UInt64(0), 1, 4, 9])
  func `Change summary: counts made during the fold equal those read from the events`(
    start: UInt64
  ) throws {
    let book = try book()
    let replayer = book.core.projector.replayer
    let logs = book.core.store.journal.logs.keys
    let starts = Dictionary(uniqueKeysWithValues: logs.map { ($0, start) })
    let read = try changeSummary(of: book, behind: start)
    #expect(replayer.foldedNews.isEmpty && !read.isEmpty)
    var (counted, others): ([UniqueID: ChangeSummary], [UniqueID: ChangeSummary]) = ([:], [:])
    try replayer.countingNews(behind: starts) { () throws(DaybookError) in
      try book.core.projector.rebuild()
      #expect(Set(replayer.foldedNews.keys) == Set(logs))
      counted = try changeSummary(of: book, behind: start)
      // The counts are not used for any other range of events.
      others = try changeSummary(of: book, behind: start + 1)
    }
    #expect(replayer.foldedNews.isEmpty && counted == read)
    #expect(try changeSummary(of: book, behind: start + 1) == others)
  }

  @Test func `Change summary: a log that grew after the fold is read again`() throws {
    let book = try book()
    let replayer = book.core.projector.replayer
    let starts = Dictionary(
      uniqueKeysWithValues: book.core.store.journal.logs.keys.map { ($0, UInt64(1)) })
    let told = try replayer.countingNews(behind: starts) { () throws(DaybookError) in
      try book.core.projector.rebuild()
      _ = try book.commands.perform(.addList(name: "Shed", colour: nil))
      #expect(!replayer.foldedNews.isEmpty)
      return try changeSummary(of: book, behind: 1)
    }
    #expect(try changeSummary(of: book, behind: 1) == told)
  }

  @Test func `Change summary: above the limit a receipt only counts the events`() throws {
    let office = Office(seed: 822)
    let one = try office.found("one")
    _ = try one.commands.perform(.addList(name: "Home", colour: nil))
    try one.settler.prepareToSync()
    let before = try one.holdingsReader.holdings()
    let syncOutcome = try one.replicator.exchange.run(with: Office.directory)
    let sent = syncOutcome.sent.values.reduce(0, +)
    let told = try one.receipts.receipt(
      syncOutcome, since: before, detailing: sent)
    let brief = try one.receipts.receipt(
      syncOutcome, since: before, detailing: sent - 1)
    #expect(told.went.map(\.tallies) == [[Tally(kind: .list, added: 1)]])
    #expect(brief.went.isEmpty)
    #expect(brief.sent == told.sent && brief.sent.map(\.events) == [sent])
  }
}
