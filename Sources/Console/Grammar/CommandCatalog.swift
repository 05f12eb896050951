/// All commands of the program.
package enum CommandCatalog {
  /// All commands, family by family.
  package static let all = families.flatMap { $0() }

  /// The families of commands, most used first; commands with the same first word are in the same family.
  ///
  /// The families are closures, because a command line needs only one command, and building all of them takes longer
  /// than finding one.
  static let families: [@Sendable () -> [CommandSpec]] = [
    { AddCommands.all }, { ChangeCommands.all }, { ListCommands.all }, { HistoryCommands.all },
    { ProofCommands.all },
    { MoveCommands.all }, { ConflictCommands.all }, { DuplicateCommands.all },
    { EraseCommands.all }, { WatchCommands.all }, { LookCommands.all }, { RemindCommands.all },
    { PageCommands.all }, { UndoCommands.all }, { HealthCommands.all }, { BookCommands.all },
    { PeerCommands.all }, { SyncCommands.all }, { DeviceCommands.all }, { KeyCommands.all },
    { files }, { HelpCommands.all },
  ]

  /// Returns the family that has a command with this first word; empty if there is none.
  static func family(of word: String) -> [CommandSpec] {
    for family in families {
      let commands = family()
      if commands.contains(where: { $0.words.first == word }) { return commands }
    }
    return []
  }

  private static let files = [ImportCommands.importing, ExportCommands.export]

  /// The commands, grouped as in the help.
  static let table = CommandTable(groups: [
    .init(title: "Add", commands: AddCommands.all),
    .init(
      title: "Change",
      commands: ChangeCommands.all + MoveCommands.all + ConflictCommands.all
        + DuplicateCommands.all + EraseCommands.all),
    .init(
      title: "Look",
      commands: ListCommands.all + WatchCommands.all + LookCommands.all + RemindCommands.all
        + PageCommands.all),
    .init(title: "Past", commands: HistoryCommands.all + UndoCommands.all + ProofCommands.all),
    .init(title: "Other machines", commands: PeerCommands.all + SyncCommands.all),
    .init(title: "Devices", commands: DeviceCommands.all + KeyCommands.all),
    .init(title: "Files", commands: files),
    .init(title: "The book", commands: HealthCommands.all + BookCommands.all),
    .init(title: "daybook", commands: HelpCommands.all),
  ])
}
