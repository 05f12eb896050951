import Foundation
import Platform
import PosixPlatform
import ReadModel
import SimulatedPlatform
import Testing

@testable import Daybook

/// Read models with a damaged file.
struct RottenViewTests {
  private static let pageBytes = 4_096

  @Test func `Damaged view: with any page damaged, a command runs once and is shown`() throws {
    let simulated = SimulatedMachine(seed: 2301)
    let machine = Machine(
      disk: PosixDisk(), timekeeper: simulated.timekeeper, dice: simulated.dice,
      network: simulated.network)
    let folder = FileManager.default.temporaryDirectory.appending(path: "rotten-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = Path(folder.path())
    try Self.fill(try BookFactory.create(at: path, on: machine, deviceName: "desk"))
    let file = folder.appending(path: "view.sqlite")
    var (page, repairs) = (1, 0)
    while true {
      var bytes = [UInt8](try Data(contentsOf: file))
      guard (page + 1) * Self.pageBytes <= bytes.count else { break }
      let events = Self.events(of: try Book(at: path, on: machine))
      bytes.replaceSubrange(
        page * Self.pageBytes..<(page + 1) * Self.pageBytes,
        with: repeatElement(0, count: Self.pageBytes))
      try Data(bytes).write(to: file)
      let number = try FileManager.default.attributesOfItem(atPath: file.path())[.systemFileNumber]
      let book = try Book(at: path, on: machine)
      _ = try book.commands.perform(.addList(name: "list \(page)", colour: nil))
      #expect(Self.events(of: book) == events + 1, "page \(page)")
      let shown = try Book(at: path, on: machine)
      let lists = try shown.core.projector.withSoundView { () throws(DaybookError) in
        let view = try shown.view()
        return try wrap(DaybookError.view) { () throws(ReadModelError) in try view.lists.lists() }
      }
      let names = lists.compactMap(\.name)
      #expect(names.contains("list \(page)"), "page \(page)")
      let now = try FileManager.default.attributesOfItem(atPath: file.path())[.systemFileNumber]
      if number as? Int != now as? Int { repairs += 1 }
      page += 1
    }
    #expect(page > 20)
    #expect(repairs > 5)
  }

  private static func fill(_ book: Book) throws {
    for number in 0..<60 {
      _ = try book.commands.perform(
        .addTodo(title: "errand \(number)", list: .none, priority: 1, due: nil))
    }
  }

  private static func events(of book: Book) -> UInt64 {
    book.core.store.heldEvents().values.reduce(0, +)
  }
}
