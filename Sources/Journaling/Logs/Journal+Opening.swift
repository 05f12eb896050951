internal import Bytes
package import Crypto

extension Journal {
  /// Takes down who writes which log where that is known already, so that no first event need be read for it.
  ///
  /// It is what makes a log's id, so that of another log is passed over.
  package mutating func note(openings: some Sequence<Opening>) {
    for opening in openings {
      let replica = UniqueID.replica(
        publicKey: opening.publicKey, incarnation: opening.incarnation)
      states[replica]?.publicKey = opening.publicKey
    }
  }

  /// The key of the device whose log a received frame begins, or nil where it begins none.
  ///
  /// Nothing else of the frame is checked: it only tells where the log is to be put.
  package static func openingKey(in bytes: [UInt8]) -> PublicKey? {
    var chain = Chain()
    do throws(FrameError) {
      return try Frame.decode(bytes.span, at: 0, &chain).opening?.publicKey
    } catch {
      // Whoever receives it says what is wrong with it.
      return nil
    }
  }
}
