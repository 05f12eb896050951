import Bytes
import Domain
import Platform
import ReadModel
import SimulatedPlatform
import Testing

@testable import Daybook

struct EntryListTests {
  private let machine = SimulatedMachine(seed: 1)

  private func numbers(_ list: EntryList) -> [EntryList.Entry] {
    (1...list.count).compactMap(list.entry)
  }

  @Test func `what is read step by step is what is read at once`() throws {
    let book = try Book.create(
      at: Path("/home/ada/book"), on: machine.machine, deviceName: "laptop", view: .memory)
    var known = try book.entries()
    #expect((known.count, known.entry(1) == nil) == (0, true))
    for round in 1...5 {
      machine.timekeeper.advance(milliseconds: 1_000)
      // Of two events each, but one entry.
      _ = try book.perform(
        .addTodo(title: "T\(round)", list: .new(name: "L\(round)"), priority: nil, due: nil))
      known = try book.entries(after: known)
      #expect(known.count == round)
      #expect(try numbers(known) == numbers(book.entries()))
    }
    let times = numbers(known).map(\.time)
    #expect(times == times.sorted())
    for entry in try book.history().entries {
      #expect(known.number(of: entry).flatMap(known.entry)?.first == entry.command)
    }
    #expect(known.until(times[2]).count == 3)
    #expect(known.until(times[0] - 1).count == 0)
  }
}
