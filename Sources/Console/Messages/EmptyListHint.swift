import Domain
import Phrasing

/// Suggests a first command if a list is empty.
struct EmptyListHint {
  let context: CommandContext
  private var output: Output { context.output }

  /// Suggests a first command for an empty list on a terminal.
  func show(nothingOf kind: Kind?) {
    // A program that reads the output needs no hint.
    guard context.environment.streams.isOutputTerminal, !output.isJSON, context.viewed.words == nil,
      !LossPresenter(context: context).hasLoss
    else { return }
    // Choices and picks are listed for one question.
    let question = context.invocation.arguments.operands.first?.quoted.visible ?? "QUESTION"
    switch kind {
    case .birthday: output.note("no birthdays yet. 'daybook add birthday NAME DATE' adds one.")
    case .todo: output.note("no such to-dos. 'daybook add todo TITLE' adds one.")
    case .list: output.note("no lists yet. 'daybook add todo TITLE --list NAME' makes one.")
    case .question:
      output.note("no questions yet. 'daybook add question \"Lunch?\" Noodles:3 Salad:2' asks one.")
    case .choice: output.note("no choices yet. 'daybook add choice \(question) NAME' adds one.")
    case .pick: output.note("no picks yet. 'daybook pick \(question)' draws one.")
    default: output.note("nothing found.")
    }
  }
}
