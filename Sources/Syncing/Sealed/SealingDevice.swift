package import Crypto
package import Sealing

/// What a device needs to receive, make and pass on the keys of sealed stores.
package struct SealingDevice: Sendable {
  package let signing: SigningKey
  package let agreement: AgreementKey
  /// The members according to the events that the device currently holds.
  package var members: MemberKeys
  /// The signing keys that this device has replaced, with which it signs packages for devices that may not know the
  /// present one.
  package var former: [SigningKey]

  package init(
    signing: SigningKey, agreement: AgreementKey, members: MemberKeys, former: [SigningKey] = []
  ) {
    (self.signing, self.agreement, self.members) = (signing, agreement, members)
    self.former = former
  }
}
