import Domain

extension Context {
  /// Says what to do first, to somebody who looks at a list with nothing on it.
  func hint(nothingOf kind: Kind?) {
    // Whoever reads it by a program sees that it is empty.
    guard surroundings.isOutputTerminal, !isJSON, moment == nil, !hasLoss else { return }
    switch kind {
    case .birthday: note("no birthdays yet. 'daybook add birthday NAME DATE' adds one.")
    case .todo: note("no such to-dos. 'daybook add todo TITLE' adds one.")
    case .list: note("no lists yet. 'daybook add todo TITLE --list NAME' makes one.")
    case .question:
      note("no questions yet. 'daybook add question \"Lunch?\" Noodles:3 Salad:2' asks one.")
    case .choice: note("no choices yet. 'daybook add choice QUESTION NAME' adds one.")
    case .pick: note("nothing was drawn yet. 'daybook pick QUESTION' draws.")
    default: note("nothing is found.")
    }
  }
}
