import Bytes
import Daybook
import Domain
import Platform
import ReadModel

/// How long whole commands take in a book with ten thousand open to-dos.
struct Commands {
  /// Milliseconds from the start of a process to its end.
  typealias Times = [Deed: Double]

  private let large: LargeBook
  private let warrior: Warrior?
  private let open: [String]

  init(of workload: Workload, in parent: Path) throws {
    large = try LargeBook(of: workload, in: parent)
    open = try large.leaveOpen(10_000).map { ShortID.text(of: $0) }
    warrior = try Warrior(tasks: open.count, in: large.folder)
  }

  func remove() throws { try large.remove() }

  /// The medians here, and beside them those of Taskwarrior where it is installed.
  ///
  /// Of the part of the turns in which the machine did least else.
  func measure(turns: Int, parts: Int = 5) throws -> (own: Times, others: Times?) {
    var own: [Times] = []
    var others: [Times] = []
    for part in 0..<parts {
      var taken: [Deed: (own: [Double], others: [Double])] = [:]
      for turn in 0..<turns / parts {
        for deed in Deed.allCases {
          let words = words(of: deed, turn: part * turns / parts + turn)
          taken[deed, default: ([], [])].own.append(
            try milliseconds { try large.program.run(words) })
          guard let warrior else { continue }
          taken[deed, default: ([], [])].others.append(
            try milliseconds { try warrior.run(deed, turn: part * turns / parts + turn) })
        }
      }
      own.append(taken.mapValues { median($0.own) })
      if warrior != nil { others.append(taken.mapValues { median($0.others) }) }
    }
    return (Self.least(of: own), warrior == nil ? nil : Self.least(of: others))
  }

  private static func least(of parts: [Times]) -> Times {
    parts.reduce(into: [:]) { $0.merge($1) { min($0, $1) } }
  }

  private func words(of deed: Deed, turn: Int) -> [String] {
    let command =
      switch deed {
      case .add: ["add", "todo", "Take out bin \(turn)", "--due", "tomorrow"]
      case .done: ["done", open[turn]]
      case .undo: ["undo"]
      case .today: [String]()
      case .page: ["list", "todos", "--limit", "50"]
      case .all: ["list", "todos", "--open"]
      }
    return ["-C", (large.folder / "book").string] + command
  }
}

extension LargeBook {
  /// Marks to-dos as done, or adds some, until so many are open.
  ///
  /// - Returns: Those that are open.
  func leaveOpen(_ count: Int) throws -> [UniqueID] {
    let isOpen = TodoFilter(includesDone: false)
    let found = try book.view().todos(isOpen).map(\.head.id)
    for part in stride(from: count, to: found.count, by: 1_000) {
      _ = try book.perform(.setDone(Array(found[part..<min(part + 1_000, found.count)]), true))
    }
    for number in 0..<max(0, count - found.count) {
      _ = try book.perform(
        .addTodo(title: "Water plant \(number)", list: .none, priority: nil, due: nil))
    }
    return try book.view().todos(isOpen).map(\.head.id)
  }
}
