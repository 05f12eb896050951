internal import COpenSSL

/// Owns one OpenSSL session that reads from memory and writes to memory.
///
/// This is the only type that converts OpenSSL's results to outcomes.
@safe struct TLSHandle: ~Copyable {
  /// The outcome of a call.
  enum Outcome {
    case done(Int)
    /// More bytes from the other side are needed first.
    case waits
    /// The other side has announced that it will send no more data.
    case ended
    case failed(TLSError)
  }

  private let raw: OpaquePointer
  /// The judge is retained manually, so that it exists for as long as OpenSSL may call it.
  private let judge: Unmanaged<TLSJudge>

  private init(owning session: OpaquePointer, _ judge: TLSJudge) {
    unsafe raw = session
    unsafe self.judge = Unmanaged.passRetained(judge)
  }

  /// Takes ownership of an OpenSSL session.
  static func make(
    _ session: OpaquePointer, _ judge: TLSJudge
  ) throws(CryptoError) -> TLSHandle {
    let handle = unsafe TLSHandle(owning: session, judge)
    let (reads, writes) = unsafe (BIO_new(BIO_s_mem()), BIO_new(BIO_s_mem()))
    // The session frees both BIOs, even if only one of them could be created.
    unsafe SSL_set_bio(session, reads, writes)
    try OpenSSL.check(unsafe reads != nil && writes != nil)
    let isKnown = unsafe SSL_set_ex_data(session, TLSJudge.place, handle.judge.toOpaque()) == 1
    try OpenSSL.check(isKnown)
    return handle
  }

  deinit {
    unsafe SSL_free(raw)
    unsafe judge.release()
  }

  func becomeClient() { unsafe SSL_set_connect_state(raw) }

  func becomeServer() { unsafe SSL_set_accept_state(raw) }

  var isFinished: Bool { unsafe SSL_is_init_finished(raw) == 1 }

  /// The key that the handshake has proved; nil until the handshake has finished.
  var key: PublicKey? { isFinished ? unsafe judge._withUnsafeGuaranteedRef { $0.key } : nil }

  /// The number of bytes waiting to be sent.
  var waitingCount: Int { unsafe BIO_ctrl_pending(SSL_get_wbio(raw)) }

  func shakeHands() -> Outcome { call { unsafe SSL_do_handshake(raw) } }

  /// Reads plaintext and appends it to an array.
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

  /// Announces that no more data will be sent.
  func sayGoodbye() { _ = call { unsafe SSL_shutdown(raw) } }

  /// Passes received bytes to the session.
  func feed(_ bytes: ArraySlice<UInt8>) throws(TLSError) {
    let written = unsafe bytes.withUnsafeBufferPointer { buffer in
      unsafe BIO_write(SSL_get_rbio(raw), buffer.baseAddress, Int32(buffer.count))
    }
    guard written == bytes.count else { throw .library(OpenSSL.drainErrors()) }
  }

  /// Removes and returns the bytes waiting to be sent.
  func drain() -> [UInt8] {
    let count = waitingCount
    guard count > 0 else { return [] }
    var bytes = [UInt8](repeating: 0, count: count)
    let taken = unsafe BIO_read(SSL_get_wbio(raw), &bytes, Int32(count))
    precondition(taken == count, "waiting bytes can be read")
    // A buffer never shrinks, so a large one is replaced, because there may be a thousand sessions.
    if count > Self.idleBytes, let fresh = unsafe BIO_new(BIO_s_mem()) {
      unsafe SSL_set0_wbio(raw, fresh)
    }
    return bytes
  }

  private static let idleBytes = 4 << 10

  private func call(_ body: () -> Int32) -> Outcome {
    // If an error from an earlier call remained in the queue, it would be reported for this call.
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
      return .failed(fault ?? certificateFault(code) ?? .explaining(code))
    }
  }

  // MARK: Servers with certificates of authorities

  /// Sets the host that the server's certificate must name, and the time at which the certificate must be valid.
  ///
  /// - Parameters:
  ///   - host: The name or the address of the host.
  ///   - time: The time, in seconds since 1970.
  /// - Throws: ``CryptoError`` if OpenSSL fails.
  func expect(_ host: String, at time: Int64) throws(CryptoError) {
    let parameters = unsafe SSL_get0_param(raw)
    unsafe X509_VERIFY_PARAM_set_time(parameters, Int(time))
    if unsafe X509_VERIFY_PARAM_set1_ip_asc(parameters, host) == 1 { return }
    // The text is a host name, so the failed attempt to parse an address is not an error.
    OpenSSL.drainErrors()
    unsafe SSL_set_hostflags(raw, UInt32(X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS))
    try OpenSSL.check(unsafe SSL_set1_host(raw, host) == 1)
    try OpenSSL.check(unsafe daybook_tls_ask_for(raw, host) == 1)
  }

  /// Returns the fault in the server's certificate; nil if the error has another cause.
  private func certificateFault(_ code: UInt) -> TLSError? {
    guard ERR_GET_LIB(code) == ERR_LIB_SSL, ERR_GET_REASON(code) == SSL_R_CERTIFICATE_VERIFY_FAILED
    else { return nil }
    return .certificate(CertificateFault(unsafe SSL_get_verify_result(raw)))
  }
}
