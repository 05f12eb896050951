package import Bytes
package import Domain

// What stands in the way of an undo, or is left by it.

/// What another device has edited since, as people are told of it.
package struct EditSince: Sendable {
  package var kind: Kind
  /// The record.
  package var id: UniqueID
  package var field: Field
  package var value: Value
  package var time: Int64
  /// What the device is called.
  package var device: String
}

/// A record that an undo would take away and that something written since depends on.
package struct Dependence: Hashable, Sendable {
  /// What depends on it: a record that names it as its list or question, or an edit by another device.
  package struct Dependent: Hashable, Sendable {
    package var kind: Kind
    package var id: UniqueID
    package var title: String
    /// What the device is called that wrote it.
    package var device: String
  }

  package var kind: Kind
  package var id: UniqueID
  package var title: String
  /// In the order of their titles; never empty.
  package var dependents: [Dependent]
}

/// What was written to records while they were one, of a join that is undone: each of them keeps it.
package struct SharedWrites: Hashable, Sendable {
  package var kind: Kind
  /// One of the records that are parted.
  package var id: UniqueID
  /// In the order of their numbers; never empty.
  package var fields: [Field]
}
