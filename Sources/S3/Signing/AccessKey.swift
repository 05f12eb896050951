/// What a client needs to sign requests.
///
/// The access key is never written to a book, a message or a log, and its description omits the secrets.
package struct AccessKey: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
  package var id: String
  package var secret: String
  /// The token that belongs to a temporary key; nil for other keys.
  package var sessionToken: String?

  package init(id: String, secret: String, sessionToken: String? = nil) {
    (self.id, self.secret, self.sessionToken) = (id, secret, sessionToken)
  }

  package var description: String { "AccessKey(\(id))" }

  package var customMirror: Mirror { Mirror(self, children: ["id": id]) }
}
