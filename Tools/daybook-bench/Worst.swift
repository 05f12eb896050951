import Bytes
import Crypto
import Daybook
import Domain
import Glibc
import Journaling
import Platform
import PosixPlatform
import ReadModel
import Syncing

/// Measures the costs that hostile histories cause for the device that receives them, and how these costs grow with the
/// size of a history.
struct Worst {
  static let option = "--worst"

  /// The maximum growth of a cost at each doubling.
  ///
  /// Higher growth suggests that events are compared pairwise.
  static let mostGrowth = 2.2
  /// The number of milliseconds below which a cost is too small for its growth to be measured.
  private static let leastMilliseconds = 50.0

  /// The tasks whose CPU time is measured.
  private enum Task: String, CaseIterable {
    case arrival, rebuild, list, edit, undo
  }

  private static let title = "what was there"

  let folder: Path
  let most: Int
  let only: String?

  init(_ words: ArraySlice<String>) throws {
    var (folder, most, only) = (Path("/tmp"), 100_000, String?.none)
    var words = words
    while let word = words.popFirst() {
      switch word {
      case "--most":
        guard let number = words.popFirst().flatMap({ Int($0) }), number >= 8 else {
          throw BenchFailure.usage
        }
        most = number
      case "--only": only = words.popFirst()
      case let option where option.hasPrefix("-"): throw BenchFailure.usage
      default: folder = Path(word)
      }
    }
    (self.folder, self.most, self.only) = (folder, most, only)
  }

  /// - Returns: Whether no cost grows faster than the limit.
  func run() throws -> Bool {
    var isSteady = true
    for shape in Mischief.shapes where only.map(shape.name.contains) ?? true {
      let counts = [most / 8, most / 4, most / 2, most]
      let costs = try counts.map { try cost(of: shape, count: $0) }
      for task in Task.allCases {
        let taken = costs.map { $0[task] ?? 0 }
        let growth = Self.growth(taken)
        let isMissed = growth.map { $0 > Self.mostGrowth } ?? false
        isSteady = isSteady && !isMissed
        let times = taken.map { String(Int($0.rounded())) }.joined(separator: " ")
        let words = growth.map { "\(Int(($0 * 100).rounded())) % at each doubling" } ?? "quick"
        print("\(shape.name), \(task.rawValue): \(times) ms, \(words)\(isMissed ? "  MISSED" : "")")
      }
    }
    return isSteady
  }

  /// Returns the average factor per doubling, over all sizes that take long enough; nil if there are fewer than two
  /// such sizes.
  private static func growth(_ taken: [Double]) -> Double? {
    let counted = taken.drop { $0 < leastMilliseconds }
    guard let first = counted.first, let last = counted.last, counted.count > 1 else { return nil }
    return pow(last / first, 1 / Double(counted.count - 1))
  }

  private func cost(of shape: Mischief.Shape, count: Int) throws -> [Task: Double] {
    let large = try LargeBook(in: folder)
    defer { try? large.remove() }
    let here = large.book
    _ = try here.commands.perform(
      .addTodo(title: Self.title, list: .none, priority: nil, due: nil))
    let there = try large.admittedDevice("other")
    _ = try here.view()
    try write(shape, count, in: there)
    let bundle = large.folder / "bundle"
    _ = try Book(at: there.layout.folder, on: large.machine).replicator.writeBundle(to: bundle)
    var costs: [Task: Double] = [:]
    costs[.arrival] = try Self.working {
      _ = try here.replicator.sync(with: .file(bundle))
      _ = try here.view()
    }
    costs[.rebuild] = try Self.working { try here.core.projector.rebuild() }
    var todos: [TodoRow] = []
    costs[.list] = try Self.working { todos = try here.view().todos.todos() }
    // Most other events refer to the earliest hostile to-do, so this is the one that is edited.
    let strange = todos.filter { $0.title != Self.title }
    guard
      let todo = (strange.isEmpty ? todos : strange).min(by: {
        ($0.head.key.sequence, $0.head.id) < ($1.head.key.sequence, $1.head.id)
      })
    else {
      throw BenchFailure.differs
    }
    costs[.edit] = try Self.working {
      let note = Request.Assignment(.note, .value(.text("read")))
      _ = try here.commands.perform(.edit(todo.head.id, [note]))
      _ = try here.view()
    }
    costs[.undo] = try Self.working {
      _ = try here.undoEngine.undo()
      _ = try here.undoEngine.redo()
      _ = try here.view()
    }
    return costs
  }

  /// Writes a shape to a device's log, and to additional logs of the same key.
  private func write(_ shape: Mischief.Shape, _ count: Int, in book: Book) throws {
    let machine = book.machine
    var journal = try Journal(at: book.layout.folder, on: machine)
    let own = book.replica.hello.replica
    let pem = try machine.disk.contents(of: book.layout.key(of: own), limit: 1 << 16)
    let keys = try DeviceKeys(pem: String(decoding: pem, as: UTF8.self))
    var logs = [own]
    while logs.count < shape.logs {
      logs.append(
        try journal.begin(
          keys, incarnation: UniqueID(machine.dice.bytes(16)), name: "other",
          at: 1_704_067_200_000))
    }
    var mischief = Mischief(in: logs, behind: logs.map { journal.logs[$0]?.sequence ?? 0 })
    shape.write(&mischief, count)
    try mischief.append(to: &journal, keys: keys)
  }

  /// Returns the CPU time of all threads, in milliseconds.
  private static func working(_ body: () throws -> Void) rethrows -> Double {
    func now() -> Double {
      var time = timespec()
      unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
      return Double(time.tv_sec) * 1_000 + Double(time.tv_nsec) / 1_000_000
    }
    let start = now()
    try body()
    return now() - start
  }
}
