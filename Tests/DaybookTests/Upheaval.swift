import Bytes
import Daybook
import Platform
import ReadModel
import SimulatedPlatform
import TestDice

/// A random history of whole books on machines that sync at random.
struct Upheaval {
  private var dice: TestDice.Dice
  private var deeds: Deeds
  let office: Office
  private(set) var trusted: [Book]
  private(set) var revoked: [Book] = []
  /// The books that have erased a record, once for each erasure.
  private(set) var erasers: [Book] = []
  private(set) var joins = 0

  init(seed: UInt64) throws {
    dice = TestDice.Dice(seed: seed)
    deeds = Deeds(seed: seed)
    office = Office(seed: seed)
    let first = try office.found("m0")
    _ = try first.commands.perform(.addList(name: "Home", colour: nil))
    _ = try first.replicator.sync(with: Office.directory)
    trusted = [first]
    for number in 1...1 + Int(seed % 4) { trusted.append(try office.join("m\(number)")) }
    _ = try first.replicator.sync(with: Office.directory, admission: .always)
    for book in trusted { _ = try book.replicator.sync(with: Office.directory) }
    for place in office.places where dice.chance(30) {
      let years = dice.number(81) - 40
      let wrong = place.machine.timekeeper.now().milliseconds + Int64(years) * 31_557_600_000
      place.simulated.timekeeper.set(Moment(milliseconds: max(0, wrong)))
    }
  }

  mutating func live(_ steps: Int) throws {
    for _ in 0..<steps {
      guard let book = dice.pick(trusted + revoked) else { return }
      switch dice.number(100) {
      case ..<64: try work(on: book)
      case ..<70: try join(on: book)
      case ..<90: _ = try book.replicator.sync(with: Office.directory)
      case ..<94: try revoke(by: book)
      default: try erase(by: book)
      }
    }
  }

  private mutating func work(on book: Book) throws {
    for place in office.places where place.book === book {
      place.simulated.timekeeper.advance(milliseconds: Int64(dice.number(60_000)))
    }
    try deeds.perform(on: book)
  }

  /// Merges two to-dos.
  private mutating func join(on book: Book) throws {
    let todos = try book.view().todos.todos().map(\.head.id)
    guard let one = dice.pick(todos), let other = dice.pick(todos), one != other else { return }
    do throws(DaybookError) {
      _ = try book.commands.perform(.merge(one, other))
      joins += 1
    } catch .refused {
      // The records are already joined.
    } catch {
      throw error
    }
  }

  /// Makes a trusted machine revoke another machine, but never the founder.
  ///
  /// At least two remain.
  private mutating func revoke(by book: Book) throws {
    let others = trusted.indices.dropFirst().filter { trusted[$0] !== book }
    guard trusted.count > 2, trusted.contains(where: { $0 === book }),
      let place = dice.pick(Array(others)),
      let name = office.places.first(where: { $0.book === trusted[place] })?.name
    else { return }
    _ = try book.revoker.revoke(book.deviceList.device(called: name))
    revoked.append(trusted.remove(at: place))
  }

  private mutating func erase(by book: Book) throws {
    guard let id = dice.pick(try book.view().todos.todos().map(\.head.id)) else { return }
    _ = try book.eraser.erase(id)
    erasers.append(book)
  }

  /// Syncs all machines, and a machine that joins now and receives everything at once.
  mutating func end() throws {
    let late = try office.join("late")
    trusted.append(late)
    _ = try trusted[0].replicator.sync(with: Office.directory, admission: .always)
    for _ in 1...3 {
      for book in trusted + revoked { _ = try book.replicator.sync(with: Office.directory) }
    }
  }
}
