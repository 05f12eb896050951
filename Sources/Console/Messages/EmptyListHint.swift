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
    case .birthday:
      output.note("no birthdays yet. To add one, run 'daybook add birthday NAME DATE'.")
    case .todo: output.note("no such to-dos. To add one, run 'daybook add todo TITLE'.")
    case .list: output.note("no lists yet. To add one, run 'daybook add list NAME'.")
    case .question:
      output.note(
        "no questions yet. To ask one, run 'daybook add question \"Lunch?\" Noodles:3 Salad:2'.")
    case .choice:
      output.note("no choices yet. To add one, run 'daybook add choice \(question) NAME'.")
    case .pick: output.note("no picks yet. To draw one, run 'daybook pick \(question)'.")
    default: output.note("nothing found.")
    }
  }
}
