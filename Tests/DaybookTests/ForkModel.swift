import Bytes

/// What several machines can have written, one of which was copied: each command with all that its machine held
/// by then.
///
/// A sync touches two machines and a write one, and what comes of it depends on what these hold and on nothing
/// else. So there is no need to look at all machines at once: what one machine can hold is a model of its own,
/// and all pairs of them are all syncs there are. Whoever has not written can hold any part that is closed, since
/// it can have met each writer right behind a command.
struct ForkModel {
  /// A device before it was copied, its two copies, and two others.
  enum Writer: Int, CaseIterable {
    case original, left, right, second, third

    /// Whether both are the machine that was copied, so that this one takes the other's events for its own.
    func knows(_ other: Writer) -> Bool {
      self == other || (other == .original && (self == .left || self == .right))
    }
  }

  /// Logs as their writers mean them.
  enum Replica: Int, CaseIterable {
    case copied, second, third, leftAnew, rightAnew

    /// Whether it is begun by a machine that has left the log it was copied with.
    var isAnew: Bool { self == .leftAnew || self == .rightAnew }
  }

  /// How a log is named: as a replica, or as the branch that begins with a command.
  enum Name: Hashable {
    case replica(Replica)
    case branch(UInt64)
  }

  /// An entry of what a command had newly seen: up to a command, or to where a log was begun.
  struct Seen: Hashable {
    var name: Name
    var last: Int?
  }

  /// A command of two events.
  struct Command {
    var writer: Writer
    var replica: Replica
    /// The command before it in its log; nil behind the log's opening.
    var parent: Int?
    /// What its machine held.
    var view: Set
    /// The last of its events.
    var sequence: UInt64
    /// The same for whatever is the same command, in any model.
    var key: UInt64
    var seen: [Seen] = []
  }

  /// Some of a model's commands, by their places.
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

  /// Whether a machine can hold this: a sync gives all that the other one has.
  func isClosed(_ view: Set) -> Bool {
    commands(in: view).allSatisfy { view.isSuperset(of: commands[$0].view) }
  }

  /// The parts that a machine can hold.
  var views: [Set] { (0...all.rawValue).map { Set(rawValue: $0) }.filter(isClosed) }

  /// The parts that hold with each command those before it in its log, as logs arrive one after the other.
  var parts: [Set] {
    (0...all.rawValue).map { Set(rawValue: $0) }.filter { part in
      commands(in: part).allSatisfy { commands[$0].parent.map(part.has) ?? true }
    }
  }

  /// Parts, and the same with one command more.
  func partsGrown() -> [(Set, Set)] {
    let parts = parts
    return parts.flatMap { part in
      commands.indices.filter { !part.has($0) }.map { part.union(.only($0)) }
        .filter(parts.contains).map { (part, $0) }
    }
  }

  /// What a machine holds at least, since it wrote that itself or was copied with it.
  func own(of writer: Writer) -> Set {
    commands.indices.reduce(into: Set()) { own, command in
      guard writer.knows(commands[command].writer) else { return }
      own.formUnion(commands[command].view.union(.only(command)))
    }
  }

  /// Which log a machine writes next: that of the machine it was copied from only until it holds something there
  /// that it does not know.
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

  /// Whether a machine can write while it holds this.
  func canWrite(_ writer: Writer, holding view: Set) -> Bool {
    guard view.isSuperset(of: own(of: writer)), isClosed(view) else { return false }
    // The original is no more once there are copies.
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
  /// Writers in each other's places.
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

  /// The same for models that differ only in who is called what, and in the order of what is concurrent.
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

  /// All models with so many commands, of those that differ in names alone one.
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
