internal import COpenSSL

/// Owns one OpenSSL session, which reads and writes memory.
///
/// It is the only place where what OpenSSL answers becomes an outcome of ours.
@safe struct TLSHandle: ~Copyable {
  /// What a call came to.
  enum Outcome {
    case done(Int)
    /// More has to come from the other side first.
    case waits
    /// The other side has said that it sends nothing more.
    case ended
    case failed(TLSError)
  }

  /// Where a session keeps its judge; `SSL_set_app_data` would use the same.
  static let judgePlace: Int32 = 0

  private let raw: OpaquePointer
  /// Held by hand, so that it is there for as long as OpenSSL may ask it.
  private let judge: Unmanaged<TLSJudge>

  private init(owning session: OpaquePointer, _ judge: TLSJudge) {
    unsafe raw = session
    unsafe self.judge = Unmanaged.passRetained(judge)
  }

  /// Takes over a session of OpenSSL's.
  static func make(
    _ session: OpaquePointer, _ judge: TLSJudge
  ) throws(CryptoError) -> TLSHandle {
    let handle = unsafe TLSHandle(owning: session, judge)
    let (reads, writes) = unsafe (BIO_new(BIO_s_mem()), BIO_new(BIO_s_mem()))
    // The session frees them, also where only one could be made.
    unsafe SSL_set_bio(session, reads, writes)
    try OpenSSL.check(unsafe reads != nil && writes != nil)
    let isKnown = unsafe SSL_set_ex_data(session, judgePlace, handle.judge.toOpaque()) == 1
    try OpenSSL.check(isKnown)
    return handle
  }

  deinit {
    unsafe SSL_free(raw)
    unsafe judge.release()
  }

  func become(_ side: TLSSession.Side) {
    switch side {
    case .client: unsafe SSL_set_connect_state(raw)
    case .server: unsafe SSL_set_accept_state(raw)
    }
  }

  var isFinished: Bool { unsafe SSL_is_init_finished(raw) == 1 }

  /// The key that the handshake has proved, once it is finished.
  var key: PublicKey? { isFinished ? unsafe judge._withUnsafeGuaranteedRef { $0.key } : nil }

  /// How many bytes wait to be sent.
  var waitingCount: Int { unsafe BIO_ctrl_pending(SSL_get_wbio(raw)) }

  func shakeHands() -> Outcome { call { unsafe SSL_do_handshake(raw) } }

  /// Reads plaintext behind what is there.
  func read(upTo limit: Int, into bytes: inout [UInt8]) -> Outcome {
    var part = [UInt8](repeating: 0, count: limit)
    var count = 0
    let outcome = call { unsafe SSL_read_ex(raw, &part, limit, &count) }
    bytes += part.prefix(count)
    if case .done = outcome { return .done(count) }
    return outcome
  }

  func write(_ bytes: ArraySlice<UInt8>) -> Outcome {
    var count = 0
    let outcome = call {
      unsafe bytes.withUnsafeBufferPointer { buffer in
        unsafe SSL_write_ex(raw, buffer.baseAddress, buffer.count, &count)
      }
    }
    if case .done = outcome { return .done(count) }
    return outcome
  }

  /// Says that nothing more will be sent.
  func sayGoodbye() { _ = call { unsafe SSL_shutdown(raw) } }

  /// Hands over bytes that have come.
  func feed(_ bytes: ArraySlice<UInt8>) throws(TLSError) {
    let written = unsafe bytes.withUnsafeBufferPointer { buffer in
      unsafe BIO_write(SSL_get_rbio(raw), buffer.baseAddress, Int32(buffer.count))
    }
    guard written == bytes.count else { throw .library(OpenSSL.drainErrors()) }
  }

  /// Takes the bytes that wait to be sent.
  func drain() -> [UInt8] {
    let count = waitingCount
    guard count > 0 else { return [] }
    var bytes = [UInt8](repeating: 0, count: count)
    let taken = unsafe BIO_read(SSL_get_wbio(raw), &bytes, Int32(count))
    precondition(taken == count, "what waits can be taken")
    // A buffer keeps the size it once had, and there may be a thousand of them.
    if count > Self.idleBytes, let fresh = unsafe BIO_new(BIO_s_mem()) {
      unsafe SSL_set0_wbio(raw, fresh)
    }
    return bytes
  }

  private static let idleBytes = 4 << 10

  private func call(_ body: () -> Int32) -> Outcome {
    // What an earlier call left behind would be taken for the reason of this one.
    ERR_clear_error()
    let result = body()
    if result > 0 { return .done(0) }
    switch unsafe SSL_get_error(raw, result) {
    case SSL_ERROR_NONE, SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE: return .waits
    case SSL_ERROR_ZERO_RETURN: return .ended
    default:
      let code = ERR_peek_error()
      ERR_clear_error()
      let fault = unsafe judge._withUnsafeGuaranteedRef { $0.fault }
      return .failed(fault ?? .explaining(code))
    }
  }
}
