extension Verb {
  /// Every command there is, in the order of the help.
  package static let all: [Verb] =
    adding + changing + moving + settling + joining + erasing + listing + watching + looking
    + reminding + paging
    + history
    + recalling + health + keeping
    + meeting + syncing + trusting + files + meta

  static let files = [importing, exporting]

  /// The groups of the help.
  static let groups: [(title: String, verbs: [Verb])] = [
    ("Add", adding), ("Change", changing + moving + settling + joining + erasing),
    ("Look", listing + watching + looking + reminding + paging), ("Past", history + recalling),
    ("Other machines", meeting + syncing), ("Devices", trusting),
    ("Files", files), ("The book", health + keeping), ("daybook", meta),
  ]
}
