package import Domain

extension Domain.Verb {
  /// The name of the verb in files and JSON.
  package var name: String {
    switch self {
    case .add: "add"
    case .edit: "edit"
    case .delete: "delete"
    case .restore: "restore"
    case .alias: "join"
    }
  }

  /// The past tense of the verb.
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
