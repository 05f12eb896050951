package import Bytes
package import Domain

// The obstacles to an undo, and the fields that remain shared after an undo.

/// An edit that another device has made since the command to be undone.
package struct EditSince: Sendable {
  package var kind: Kind
  /// The id of the record.
  package var id: UniqueID
  package var field: Field
  package var value: Value
  package var time: Int64
  /// The name of the device that made the edit.
  package var device: String
}

/// A record that an undo would delete although a later event depends on it.
package struct Dependence: Hashable, Sendable {
  /// A record that has this record as its list, question or parent, or an edit by another device.
  package struct Dependent: Hashable, Sendable {
    package var kind: Kind
    package var id: UniqueID
    package var title: String
    /// The name of the device that wrote the event.
    package var device: String
    /// Whether the commands to be undone made it a child of this record, so that only its own later use counts.
    package var isFromBefore = false
  }

  package var kind: Kind
  package var id: UniqueID
  package var title: String
  /// The dependents, sorted by title; never empty.
  package var dependents: [Dependent]
}

/// The fields that were written while records were joined, for a join that is undone.
package struct SharedWrites: Hashable, Sendable {
  package struct Record: Hashable, Sendable {
    package var id: UniqueID
    package var title: String
  }

  package var kind: Kind
  /// The separated records that keep the values; never empty.
  package var records: [Record]
  /// Whether ``records`` contains all records that the undo separates.
  package var isOfAll = false
  /// The fields, sorted by number; never empty.
  package var fields: [Field]
}
