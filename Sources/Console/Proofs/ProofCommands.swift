import Bytes
import Daybook
import Domain
import Phrasing
import Platform
import Proving

enum ProofCommands {
  static let all = [prove, checkProof]

  private static let prove = CommandSpec(
    "prove", "Write a proof of a record's history for somebody without the book.",
    traits: [.leavesBook, .passesOn], text("ID"),
    option("output", "FILE", "The file to write, which is required.", letter: "o"),
    option(
      "field", "FIELD",
      "Show only the changes to this field, and the events that added and joined the record."),
    option(
      "until", "TIME", "Show only events up to this time; a date stands for the end of that day."),
    flag(
      "unbroken",
      "Link all shown events of a device in one chain, which excludes a fork between them. Each event between them takes about 40 bytes."
    ),
    flag("force", "Replace an existing file."),
    examples: [
      "daybook prove eggos -o eggos.proof",
      "daybook prove k7 --field done --until 2026-01-31 -o done.proof",
    ],
    notes: [
      "The file shows the chosen events of the record in full, and other events only as hashes and times.",
      "It also shows when and by which device the devices of these events were admitted, with their names and keys.",
    ]
  ) { context, words, file, field, until, isUnbroken, isForced in
    guard let file else {
      throw ConsoleError.usage(.missingOperand("-o FILE", usage: "prove ID -o FILE"))
    }
    let until = try until.map { try context.reader.pastInstant($0, wholeDay: .end).milliseconds }
    try WriteProof(context: context).run(
      words, to: file, field: field, until: until, isUnbroken: isUnbroken, isForced: isForced)
  }

  private static let checkProof = CommandSpec(
    "check-proof",
    "Check a proof that somebody made with 'prove', and say what it proves; needs no book.",
    reading: .present, traits: [.needsNoBook, .isPaged], text("FILE"),
    examples: ["daybook check-proof eggos.proof", "daybook check-proof eggos.proof --json"],
    notes: [
      "The exit code is 0 only if everything in the file holds.",
      "Compare the words of the keys with those that 'daybook devices' shows on a device of the book.",
    ]
  ) { context, file in
    let path = context.environment.path(file)
    let bytes = try context.machine.disk.contents(of: path, limit: Proof.byteLimit + 1)
    let report: ProofReport
    do throws(ProofFault) { report = try ProofCheck.check(bytes) } catch {
      throw ConsoleError.proofRefused(path, error)
    }
    ProofPresenter(context: context, report: report).tell()
  }
}

private struct WriteProof {
  let context: CommandContext

  func run(
    _ words: String, to file: String, field: String?, until: Int64?, isUnbroken: Bool,
    isForced: Bool
  ) throws {
    let book = try context.book()
    let id = try find(words, in: book)
    if let field, let kind = try book.finder.document(withID: id)?.kind,
      let schema = Schema.schema(of: kind), schema.field(called: field) == nil
    {
      throw ConsoleError.unknownField(field, among: [schema])
    }
    let path = context.environment.path(file)
    try DestinationCheck(disk: context.machine.disk).check(path, isForced: isForced)
    let proof = try book.prover.prove(
      ProofWish(id: id, field: field, until: until, isUnbroken: isUnbroken))
    try context.machine.disk.replace(path, with: proof.bytes)
    let shown = proof.report.events.count { $0.role == .changes }
    let hidden = proof.report.logs.reduce(0) { $0 + $1.hidden }
    if context.output.isJSON {
      return context.output.answer(
        .object(
          ("file", .string(path.string)), ("bytes", .integer(Int64(proof.bytes.count))),
          ("record", .string(id.uuid)), ("events", .integer(Int64(shown))),
          ("hidden", .integer(Int64(clamping: hidden)))))
    }
    context.output.say(
      "Wrote a proof of \(shown.counted("event")), \(proof.bytes.count) bytes, to \(path.string.visible)."
    )
    if !isUnbroken { noteSize(of: proof) }
  }

  /// Finds the record; an erased one has only its id.
  private func find(_ words: String, in book: Book) throws -> UniqueID {
    do throws(DaybookError) {
      return try book.finder.find(words, among: .all).id
    } catch {
      guard case .erased = error, let id = try book.finder.findErased(words) else { throw error }
      return id
    }
  }

  /// The number of hidden events above which it is worth saying where they come from.
  private static let manyHidden: UInt64 = 1_000

  /// Says how the proof would be smaller, if another device wrote most of it.
  private func noteSize(of proof: MadeProof) {
    for log in proof.report.logs where log.hidden > Self.manyHidden {
      let name = log.name?.visible ?? log.replica.hex
      context.output.note(
        "\(log.hidden) hashes of other events of \(name) link the shown events to its signatures; "
          + "a proof made on \(name) needs fewer.")
    }
  }
}
