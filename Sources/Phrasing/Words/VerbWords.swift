package import Domain

extension Domain.Verb {
  /// As in files and JSON.
  package var name: String {
    switch self {
    case .add: "add"
    case .edit: "edit"
    case .delete: "delete"
    case .restore: "restore"
    case .alias: "join"
    }
  }

  /// As told of the past.
  package var pastWord: String {
    switch self {
    case .add: "added"
    case .edit: "edited"
    case .delete: "deleted"
    case .restore: "restored"
    case .alias: "joined"
    }
  }
}
