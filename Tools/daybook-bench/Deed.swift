/// The commands of one turn, in order; a turn undoes its last change.
enum Deed: String, CaseIterable {
  case add, done, undo, today, page, all

  var meaning: String {
    switch self {
    case .add: "a to-do added to 10,000 open ones"
    case .done: "one of them marked as done"
    case .undo: "that undone"
    case .today: "the screen of today"
    case .page: "50 of them listed"
    case .all: "all of them listed"
    }
  }
}
