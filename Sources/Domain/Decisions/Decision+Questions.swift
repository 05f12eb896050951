/// The events that add a question and its choices.
func addQuestion(
  _ fields: [Field: Value], _ choices: [Command.NewChoice], on shelf: some Shelf
) throws(Refusal) -> [Draft] {
  var drafts = [try add(.question, fields, on: shelf)]
  for choice in choices {
    let fields: [Field: Value] = [
      .owner: .reference(Draft.entity(addedBy: 0)), Field.Choice.name: .text(choice.name),
      Field.Choice.weight: .optional(choice.weight),
    ]
    drafts.append(try add(.choice, fields, on: shelf))
  }
  return drafts
}

/// Draws one of a question's choices and records the draw.
///
/// The random number is drawn here, and the event contains the result, so folding needs no dice.
func pick(
  _ key: EventKey, on shelf: some Shelf, dice: () -> UInt64
) throws(Refusal) -> Draft {
  let question = try shelf.liveDocument(of: key)
  guard question.kind == .question else {
    throw .notOfKind(expected: .question, found: question.kind)
  }
  let choices = shelf.children(of: question.key, .choice).compactMap(Choice.init)
  guard !choices.isEmpty else { throw .noChoices(question.id) }
  let draw: Draw
  let place: Int
  do throws(DrawError) {
    draw = try Draw(
      choices.map { Draw.Entry(id: $0.id, weight: UInt64(max(0, $0.weight))) }, dice: dice)
    place = try draw.replay()
  } catch {
    throw error == .tooHeavy ? .weightsTooLarge(question.id) : .weightsSumToZero(question.id)
  }
  let fields: [Field: Value] = [
    .owner: .reference(question.key), Field.Pick.choice: .reference(choices[place].key),
    Field.Pick.draw: .bytes(draw.encoded),
  ]
  return try add(.pick, fields, on: shelf)
}
