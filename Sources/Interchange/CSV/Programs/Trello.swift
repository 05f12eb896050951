internal import Domain

enum TrelloTable {
  /// A Trello board.
  ///
  /// Source: "Exporting data from Trello", Atlassian's support.
  static let trello = CSVProgram(
    name: "trello", title: "Trello", signature: [["Card ID"], ["Card Name"]], kind: .todo,
    columns: [
      "Card ID": .id, "Card Name": .title, "Card Description": .note, "List Name": .list,
      "Labels": .tags, "Due Date": .due, "Due Complete": .done, "Start Date": .start,
      "Archived": .cancelled,
    ])
}
