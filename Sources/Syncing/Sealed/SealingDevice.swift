package import Crypto
package import Sealing

/// What a device needs to receive, make and pass on the keys of sealed stores.
package struct SealingDevice: Sendable {
  package let signing: SigningKey
  package let agreement: AgreementKey
  /// The members according to the events that the device currently holds.
  package var members: MemberKeys

  package init(signing: SigningKey, agreement: AgreementKey, members: MemberKeys) {
    (self.signing, self.agreement, self.members) = (signing, agreement, members)
  }
}
