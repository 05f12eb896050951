import Domain

/// A summary of the effects of the given events of a device.
struct ChangeSummary: Equatable {
  var tallies: [Tally] = []
  var few: [Receipt.Mention] = []
  var devices: [LastingChange] = []
  /// The number of events that erase something.
  var erased: UInt64 = 0
  /// The number of erasures that are held here until the user accepts them.
  var held: UInt64 = 0
  /// The number of events without content, because their record was erased.
  var emptied: UInt64 = 0
  /// The number of events that change no record, including those about devices and erasures.
  var others: UInt64 = 0
  /// The parents that the events delete and the children that they change, except records that they add.
  var parting = Parting()
  /// The documents that the events join.
  var joined: Set<EventKey> = []
  /// The living documents with a member that the events delete.
  var kept: Set<EventKey> = []
  var isNothing: Bool { tallies.isEmpty && others == 0 && emptied == 0 }

  /// Records that may hide others because of a deletion, and records that may be hidden.
  struct Parting: Equatable {
    var deletedParents: Set<EventKey> = []
    /// The deleted to-dos, which may have repeated.
    var deletedTodos: Set<EventKey> = []
    var changedChildren: Set<EventKey> = []
  }
}
