import Bytes
import Daybook
import Domain
import Platform
import ReadModel

/// Measures whole commands in a book with ten thousand open to-dos.
struct Commands {
  /// The duration of a process in milliseconds, by deed.
  typealias Times = [Deed: Sample]

  private let large: LargeBook
  private let warrior: Warrior?
  private let open: [String]

  init(of workload: Workload, in parent: Path) throws {
    large = try LargeBook(of: workload, in: parent)
    open = try large.leaveOpen(10_000).map { ShortID.text(of: $0) }
    warrior = try Warrior(tasks: open.count, in: large.folder)
  }

  func remove() throws { try large.remove() }

  /// Measures the commands of daybook and, if it is installed, those of Taskwarrior.
  ///
  /// The turns are divided into parts. The result is the median of the fastest part, which is the one that other
  /// processes disturbed least.
  func measure(turns: Int, parts: Int = 5) throws -> (own: Times, others: Times?) {
    var own: [Deed: [[Double]]] = [:]
    var others: [Deed: [[Double]]] = [:]
    // These commands form an additional turn, which is not counted.
    for deed in Deed.allCases { try large.program.run(words(of: deed, turn: turns)) }
    for part in 0..<parts {
      for deed in Deed.allCases {
        own[deed, default: []].append([])
        others[deed, default: []].append([])
      }
      for turn in part * turns / parts..<(part + 1) * turns / parts {
        for deed in Deed.allCases {
          let words = words(of: deed, turn: turn)
          own[deed]?[part].append(try milliseconds { try large.program.run(words) })
          guard let warrior else { continue }
          others[deed]?[part].append(try milliseconds { try warrior.run(deed, turn: turn) })
        }
      }
    }
    let theirs = warrior == nil ? nil : others.mapValues { Sample(leastOf: $0) }
    return (own.mapValues { Sample(leastOf: $0) }, theirs)
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
  /// Marks to-dos as done or adds to-dos until exactly `count` are open.
  ///
  /// - Returns: The ids of the open to-dos.
  func leaveOpen(_ count: Int) throws -> [UniqueID] {
    let isOpen = TodoFilter(includesClosed: false)
    let found = try book.view().todos.todos(isOpen).map(\.head.id)
    for part in stride(from: count, to: found.count, by: 1_000) {
      _ = try book.commands.perform(
        .setDone(Array(found[part..<min(part + 1_000, found.count)]), true))
    }
    for number in 0..<max(0, count - found.count) {
      _ = try book.commands.perform(
        .addTodo(title: "Water plant \(number)", list: .none, priority: nil, due: nil))
    }
    return try book.view().todos.todos(isOpen).map(\.head.id)
  }
}
