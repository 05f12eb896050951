extension Verb {
  /// Every command there is, in the order of the help.
  package static let all = families.flatMap { $0() }

  /// The commands, those together whose first words are the same, and those first that are used most.
  ///
  /// A command line needs one of them, and to make them all takes longer than to find it.
  static let families: [@Sendable () -> [Verb]] = [
    { adding }, { changing }, { listing }, { history }, { moving }, { settling }, { joining },
    { erasing }, { watching }, { looking }, { reminding }, { paging }, { recalling }, { health },
    { keeping }, { meeting }, { syncing }, { trusting }, { files }, { meta },
  ]

  /// The family of the commands that begin with a word; none where none does.
  static func family(of word: String) -> [Verb] {
    for family in families {
      let verbs = family()
      if verbs.contains(where: { $0.words.first == word }) { return verbs }
    }
    return []
  }

  static let files = [importing, exporting]

  /// The groups of the help.
  static let groups: [(title: String, verbs: [Verb])] = [
    ("Add", adding), ("Change", changing + moving + settling + joining + erasing),
    ("Look", listing + watching + looking + reminding + paging), ("Past", history + recalling),
    ("Other machines", meeting + syncing), ("Devices", trusting),
    ("Files", files), ("The book", health + keeping), ("daybook", meta),
  ]
}
