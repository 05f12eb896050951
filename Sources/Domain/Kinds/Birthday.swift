package import Bytes

/// A birthday as a document shows it.
package struct Birthday: Sendable {
  package let key: EventKey
  package let id: UniqueID
  package let firstName: String?
  package let lastName: String?
  package let birthdate: CivilDate?
  /// The rule for 29 February; nil if the birthday has no rule of its own.
  package let leapRule: LeapRule?
  package let lead: [String]

  /// Reads a birthday from a document; nil if the document is of a different kind.
  package init?(_ document: Document) {
    guard document.kind == .birthday else { return nil }
    key = document.key
    id = document.id
    firstName = document.text(Field.Birthday.firstName)
    lastName = document.text(Field.Birthday.lastName)
    birthdate = document.value(Field.Birthday.birthdate).date
    leapRule = document.integer(Field.Birthday.leapRule).flatMap(LeapRule.init)
    lead = document.texts(Field.Birthday.lead)
  }

  /// The known parts of the first and last name, separated by a space.
  package var name: String { [firstName, lastName].compactMap(\.self).joined(separator: " ") }
}
