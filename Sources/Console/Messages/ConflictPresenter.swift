import Bytes
import Daybook
import Domain
import Phrasing
import Platform
import ReadModel

/// Shows conflicts and the commands that settle them.
struct ConflictPresenter {
  let context: CommandContext
  private var output: Output { context.output }

  /// Returns the conflicts as text, record by record: one line for each side, with the command that chooses it.
  func lines(of conflicts: [Conflict], _ snapshot: Snapshot) throws -> [String] {
    let devices = try snapshot.book.deviceList.devices()
    var lines: [String] = []
    var rest = conflicts[...]
    while let first = rest.first {
      let same = rest.prefix { $0.document.key == first.document.key }
      rest = rest.dropFirst(same.count)
      lines.append(output.paint.heading(try snapshot.name(of: first.document)))
      let rows = try same.flatMap { try self.rows(of: $0, among: devices, snapshot) }
      lines += Table.lines(rows).map { "  " + $0 }
    }
    return lines
  }

  /// Returns a row for each side of a conflict: the field, the value, the devices, the time and the command.
  func rows(
    of conflict: Conflict, among devices: [Device], _ snapshot: Snapshot
  ) throws -> [[String]] {
    try conflict.sides.indices.map { place in
      let side = conflict.sides[place]
      let first = side.writers.first
      return [
        place == 0 ? conflict.subjectWords : "", try snapshot.words(of: side, in: conflict),
        side.writers.map(\.device.visible).uniqued.joined(separator: ", "),
        first.map {
          context.machine.timekeeper.text(of: $0.time, isClockSuspect: $0.isClockSuspect)
        } ?? "",
        place == 0 ? "shown" : "",
        // A conflict in the past may have been settled since then.
        context.invocation.moment == nil
          ? try command(for: place, of: conflict, devices, snapshot) : "",
      ]
    }
  }

  /// Returns the command that settles a conflict by one of its sides; empty if there is none.
  func command(
    for place: Int, of conflict: Conflict, _ devices: [Device], _ snapshot: Snapshot
  ) throws -> String {
    guard let subject = conflict.commandWord else { return "" }
    let word = try word(for: place, of: conflict, devices, snapshot)
    let id = try snapshot.shortID(conflict.document.id)
    return "daybook resolve \(id)\(subject) --take \(word)"
  }

  /// Returns an unambiguous word for a side, quoted for a shell: a device, a value or, if both are ambiguous, an
  /// event.
  private func word(
    for place: Int, of conflict: Conflict, _ devices: [Device], _ snapshot: Snapshot
  ) throws -> String {
    let side = conflict.sides[place]
    if side.content == .edited { return "keep" }
    if side.content == .deleted { return "delete" }
    let values = try conflict.sides.map { try snapshot.words(of: $0, in: conflict) }
    let events = side.writers.flatMap { writer in
      [writer.device, writer.author.log.hex].map { "\($0):\(writer.author.sequence)" }
    }
    let people = ["mine", "theirs"] + side.writers.map(\.device)
    let word = (people + [values[place]] + events).first { word in
      let meant = conflict.sides(of: word, among: devices) ?? []
      let equal = values.indices.filter { values[$0] == word }
      return Set(meant + equal) == [place] && word.canBeTyped
    }
    return word?.quoted ?? ""
  }

  func json(_ conflict: Conflict, _ snapshot: Snapshot) throws -> JSON {
    .object(
      [
        JSON.Member("kind", .string(conflict.document.kind.name)),
        JSON.Member("id", .string(conflict.document.id.uuid)),
        JSON.Member("title", .string(conflict.document.title)),
      ] + (try snapshot.members(of: conflict)))
  }
}

extension Conflict {
  /// The subject of the conflict, as text.
  fileprivate var subjectWords: String {
    switch subject {
    case .life: "keep or delete"
    case .field(let field): field.name(in: document.kind)
    }
  }

  /// The subject in a command, after the id; nil if no command of this version settles the conflict.
  fileprivate var commandWord: String? {
    switch subject {
    case .life: ""
    case .field(let field):
      Schema.field(field, of: document.kind).flatMap { $0.isFixed ? nil : " \($0.optionName)" }
    }
  }
}

extension String {
  /// Whether the text is printed unchanged and is not an option.
  fileprivate var canBeTyped: Bool { !isEmpty && !hasPrefix("-") && self == visible }
}

extension [String] {
  /// The elements without duplicates, in their order.
  fileprivate var uniqued: [String] {
    var known: Set<String> = []
    return filter { known.insert($0).inserted }
  }
}
