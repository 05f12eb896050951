import Bytes

/// All histories of several machines, one of which was copied: each command with the set of commands that its machine
/// held when it was written.
///
/// A sync involves two machines and a write only one, and the result depends only on what these machines hold.
/// Therefore, it suffices to enumerate the sets that one machine can hold: the pairs of such sets are all possible
/// syncs. A machine that has not written can hold any closed set, because it may have synced with each writer
/// immediately after any command.
struct ForkModel {
  /// A device before it was copied, its two copies, and two others.
  enum Writer: Int, CaseIterable {
    case original, left, right, second, third

    /// Whether this writer treats the other's events as its own, because both are the copied machine.
    func knows(_ other: Writer) -> Bool {
      self == other || (other == .original && (self == .left || self == .right))
    }
  }

  /// The logs, as their writers intend them.
  enum Replica: Int, CaseIterable {
    case copied, second, third, leftAnew, rightAnew

    /// Whether a machine begins the log after it has abandoned the log with which it was copied.
    var isAnew: Bool { self == .leftAnew || self == .rightAnew }
  }

  /// The name of a log: a replica, or the branch that begins with a command.
  enum Name: Hashable {
    case replica(Replica)
    case branch(UInt64)
  }

  /// An entry that names what a command saw for the first time: a log up to a command, or up to the log's beginning.
  struct Seen: Hashable {
    var name: Name
    var last: Int?
  }

  /// A command of two events.
  struct Command {
    var writer: Writer
    var replica: Replica
    /// The previous command of its log; nil if it follows the log's first event.
    var parent: Int?
    /// The commands that its machine held when it was written.
    var view: Set
    /// Its last event.
    var sequence: UInt64
    /// A key that is equal for the same command in any model.
    var key: UInt64
    var seen: [Seen] = []
  }

  /// Some of a model's commands, by index.
  struct Set: OptionSet, Hashable {
    var rawValue: UInt32

    static func only(_ command: Int) -> Set { Set(rawValue: 1 << UInt32(command)) }

    static func first(_ count: Int) -> Set { Set(rawValue: (1 << UInt32(count)) - 1) }

    func has(_ command: Int) -> Bool { contains(.only(command)) }
  }

  static let copies: [Writer] = [.left, .right]

  private(set) var commands: [Command] = []

  var all: Set { .first(commands.count) }

  func commands(in view: Set) -> [Int] { commands.indices.filter(view.has) }

  /// Whether a machine can hold this set: a sync transfers everything that the other machine holds.
  func isClosed(_ view: Set) -> Bool {
    commands(in: view).allSatisfy { view.isSuperset(of: commands[$0].view) }
  }

  /// The sets that a machine can hold.
  var views: [Set] { (0...all.rawValue).map { Set(rawValue: $0) }.filter(isClosed) }

  /// The sets that contain, with each command, all earlier commands of its log; logs arrive in order.
  var parts: [Set] {
    (0...all.rawValue).map { Set(rawValue: $0) }.filter { part in
      commands(in: part).allSatisfy { commands[$0].parent.map(part.has) ?? true }
    }
  }

  /// Pairs of parts; the second part has one more command.
  func partsGrown() -> [(Set, Set)] {
    let parts = parts
    return parts.flatMap { part in
      commands.indices.filter { !part.has($0) }.map { part.union(.only($0)) }
        .filter(parts.contains).map { (part, $0) }
    }
  }

  /// The commands that a machine always holds: the commands that it wrote itself, and those with which it was copied.
  func own(of writer: Writer) -> Set {
    commands.indices.reduce(into: Set()) { own, command in
      guard writer.knows(commands[command].writer) else { return }
      own.formUnion(commands[command].view.union(.only(command)))
    }
  }

  /// The log that a machine writes next: the copied log only until the machine holds an event there that it did not
  /// write.
  func replica(of writer: Writer, holding view: Set) -> Replica {
    switch writer {
    case .second: return .second
    case .third: return .third
    case .original: return .copied
    case .left, .right:
      let isForeign = commands(in: view).contains {
        commands[$0].replica == .copied && !writer.knows(commands[$0].writer)
      }
      guard isForeign else { return .copied }
      return writer == .left ? .leftAnew : .rightAnew
    }
  }

  /// Whether a machine can write while it holds this set.
  func canWrite(_ writer: Writer, holding view: Set) -> Bool {
    guard view.isSuperset(of: own(of: writer)), isClosed(view) else { return false }
    // The original no longer exists once there are copies.
    return writer != .original
      || !commands.contains { $0.writer == .left || $0.writer == .right }
  }

  func next(by writer: Writer, holding view: Set) -> Command {
    let replica = replica(of: writer, holding: view)
    let parent = commands(in: view).last {
      commands[$0].replica == replica && writer.knows(commands[$0].writer)
    }
    var command = Command(
      writer: writer, replica: replica, parent: parent, view: view,
      sequence: (parent.map { commands[$0].sequence } ?? 1) + 2, key: 0)
    command.key = key(of: command, parent: parent.map { commands[$0].key }) { commands[$0].key }
    return command
  }

  mutating func add(_ command: Command) {
    var command = command
    command.seen = seen(by: command)
    commands.append(command)
  }

  private func key(
    of command: Command, parent: UInt64?, swapping: Swap = Swap(), _ keys: (Int) -> UInt64
  ) -> UInt64 {
    let seen = commands(in: command.view).reduce(0) { $0 &+ Self.mixed(keys($1)) }
    let writer = UInt64(swapping.writer(command.writer).rawValue)
    return Self.mixed(seen &* 31 &+ (parent ?? 7) &* 5 &+ writer &+ 1)
  }

  static func mixed(_ value: UInt64) -> UInt64 {
    var mixed = value &+ 0x9E37_79B9_7F4A_7C15
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

extension ForkModel {
  /// A permutation of the writers.
  struct Swap {
    var copies = false
    var others = false

    static let all = [(false, false), (false, true), (true, false), (true, true)]
      .map { Swap(copies: $0, others: $1) }

    func writer(_ writer: Writer) -> Writer {
      switch writer {
      case .original: .original
      case .left: copies ? .right : .left
      case .right: copies ? .left : .right
      case .second: others ? .third : .second
      case .third: others ? .second : .third
      }
    }
  }

  /// A value that is equal for models that differ only in the names of writers and in the order of concurrent commands.
  var shape: UInt64 {
    Swap.all.map { swap in
      var keys: [UInt64] = []
      for command in commands {
        keys.append(
          key(of: command, parent: command.parent.map { keys[$0] }, swapping: swap) { keys[$0] })
      }
      return keys.reduce(0) { $0 &+ Self.mixed($1 ^ 0x5a5a) }
    }.min() ?? 0
  }

  /// All models with one more command.
  func grown() -> [ForkModel] {
    var grown: [ForkModel] = []
    for view in views {
      for writer in Writer.allCases where canWrite(writer, holding: view) {
        var model = self
        model.commands.append(next(by: writer, holding: view))
        grown.append(model)
      }
    }
    return grown
  }

  /// All models with up to `count` commands, one of each set that differs only in names.
  static func all(upTo count: Int, _ visit: (ForkModel) throws -> Void) rethrows {
    var models = [ForkModel()]
    for _ in 0..<count {
      var shapes: Swift.Set<UInt64> = []
      var next: [ForkModel] = []
      for model in models {
        for var grown in model.grown() where shapes.insert(grown.shape).inserted {
          let last = grown.commands.removeLast()
          grown.add(last)
          try visit(grown)
          next.append(grown)
        }
      }
      models = next
    }
  }
}
