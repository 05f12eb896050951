package import Crypto

extension Journal {
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
