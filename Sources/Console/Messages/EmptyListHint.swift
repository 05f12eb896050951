import Domain

/// Says what to do first where a list is empty.
struct EmptyListHint {
  let context: CommandContext
  private var output: Output { context.output }

  /// Says what to do first, to somebody who looks at a list with nothing on it.
  func show(nothingOf kind: Kind?) {
    // Whoever reads it by a program sees that it is empty.
    guard context.environment.streams.isOutputTerminal, !output.isJSON, context.moment == nil,
      !LossPresenter(context: context).hasLoss
    else { return }
    switch kind {
    case .birthday: output.note("no birthdays yet. 'daybook add birthday NAME DATE' adds one.")
    case .todo: output.note("no such to-dos. 'daybook add todo TITLE' adds one.")
    case .list: output.note("no lists yet. 'daybook add todo TITLE --list NAME' makes one.")
    case .question:
      output.note("no questions yet. 'daybook add question \"Lunch?\" Noodles:3 Salad:2' asks one.")
    case .choice: output.note("no choices yet. 'daybook add choice QUESTION NAME' adds one.")
    case .pick: output.note("nothing was drawn yet. 'daybook pick QUESTION' draws.")
    default: output.note("nothing is found.")
    }
  }
}
