import Domain

/// What events of a device do.
struct ChangeSummary: Equatable {
  var tallies: [Tally] = []
  var few: [Receipt.Mention] = []
  var devices: [LastingChange] = []
  /// How many say that something is erased.
  var erased: UInt64 = 0
  /// How many of these are held here until the user accepts them.
  var held: UInt64 = 0
  /// How many have no content left because their record was erased.
  var emptied: UInt64 = 0
  /// How many do nothing to any record, those about devices and erasures among them.
  var others: UInt64 = 0
  /// The parents they delete and the children they change, without records that they add.
  var parting = Parting()
  /// The documents that they join.
  var joined: Set<EventKey> = []
  var isNothing: Bool { tallies.isEmpty && others == 0 && emptied == 0 }

  /// Records on both sides of a deletion that can hide others.
  struct Parting: Equatable {
    var deletedParents: Set<EventKey> = []
    var changedChildren: Set<EventKey> = []
  }
}
