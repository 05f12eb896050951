import Crypto
import HTTP
import Platform
import S3

/// Sends requests to one server, one after another, over a connection that stays open between them.
final class HTTPClient {
  private let host: String
  private let port: UInt16
  private let isEncrypted: Bool
  private let machine: Machine
  private var roots: TrustedRoots?
  /// The connection, if the server keeps it open.
  private var line: (any Line)?

  init(host: String, port: UInt16, isEncrypted: Bool, on machine: Machine) {
    (self.host, self.port, self.isEncrypted) = (host, port, isEncrypted)
    self.machine = machine
  }

  deinit { line?.close() }

  /// Sends a request, and returns the response to it.
  ///
  /// A server may close a connection at any time between two requests, so a request that receives no response is sent
  /// once more over a new connection. All requests are safe to repeat.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - bodyLimit: The maximum number of bytes in the body of the response.
  /// - Returns: The response.
  /// - Throws: ``S3Fault`` if there is no acceptable response.
  func send(_ request: ClientRequest, bodyLimit: Int) throws(S3Fault) -> ServerResponse {
    if let kept = line {
      line = nil
      do throws(S3Fault) {
        return try exchange(request, over: kept, bodyLimit: bodyLimit)
      } catch {
        guard [.http(.silent), .network(.cut), .tls(.cut)].contains(error) else { throw error }
      }
    }
    return try exchange(request, over: try dial(), bodyLimit: bodyLimit)
  }

  // MARK: Connections

  private func dial() throws(S3Fault) -> any Line {
    let line: any Line
    do throws(NetworkError) {
      line = try machine.network.dial(
        host: host, port: port, patienceMilliseconds: Int(Limit.helloMilliseconds))
    } catch {
      throw error == .timedOut ? .tooSlow : .network(error)
    }
    return isEncrypted ? try encrypted(line) : line
  }

  private func encrypted(_ line: any Line) throws(S3Fault) -> any Line {
    do throws(SyncError) {
      return try SecureLine.open(
        toward: host, trusting: try trustedRoots(), over: line, timekeeper: machine.timekeeper)
    } catch {
      line.close()
      throw S3Fault(error)
    }
  }

  private func trustedRoots() throws(SyncError) -> TrustedRoots {
    if let roots { return roots }
    do throws(CryptoError) { roots = try RootFile.roots(on: machine) } catch {
      throw .tls(.library(error))
    }
    guard let roots else { throw .storage(.noRoots, at: Path("")) }
    return roots
  }

  // MARK: Exchanges

  private func exchange(
    _ request: ClientRequest, over line: any Line, bodyLimit: Int
  ) throws(S3Fault) -> ServerResponse {
    var parser = ResponseParser(to: request.method, bodyLimit: bodyLimit)
    do throws(S3Fault) {
      try send(request.bytes, over: line)
      try receive(into: &parser, over: line)
    } catch {
      line.close()
      throw error
    }
    guard let response = parser.finished else { preconditionFailure("a response is complete") }
    if parser.isReusable { self.line = line } else { line.close() }
    return response
  }

  private func send(_ bytes: [UInt8], over line: any Line) throws(S3Fault) {
    do throws(NetworkError) {
      try line.send(bytes, patienceMilliseconds: Limit.silenceMilliseconds)
    } catch {
      // A server that refuses a request may close the connection before it has read the body. In that case, the
      // server's reason can still be received.
      if error != .cut { throw fault(of: line, error) }
    }
  }

  private func receive(
    into parser: inout ResponseParser, over line: any Line
  ) throws(S3Fault) {
    let start = machine.timekeeper.monotonicMilliseconds()
    var receivedBytes: Int64 = 0
    while parser.finished == nil {
      let bytes: [UInt8]
      do throws(NetworkError) {
        bytes = try line.receive(
          upTo: Portion.chunkBytes, patienceMilliseconds: Limit.silenceMilliseconds)
      } catch {
        let fault = fault(of: line, error)
        // A broken connection is treated like a closed one, because nothing or only a part may have been received.
        guard fault == .network(.cut) else { throw fault }
        try parsing { () throws(ResponseFault) in try parser.connectionEnded() }
        continue
      }
      receivedBytes += Int64(bytes.count)
      try parsing { () throws(ResponseFault) in
        if bytes.isEmpty { try parser.connectionEnded() } else { try parser.take(bytes) }
      }
      let passed = machine.timekeeper.monotonicMilliseconds() - start
      let allowed =
        Limit.graceMilliseconds + receivedBytes * 1_000 / Limit.slowestBytesPerSecond
      guard passed <= allowed || parser.finished != nil else { throw .tooSlow }
    }
  }

  private func parsing(_ body: () throws(ResponseFault) -> Void) throws(S3Fault) {
    do throws(ResponseFault) { try body() } catch { throw .http(error) }
  }

  private func fault(of line: any Line, _ error: NetworkError) -> S3Fault {
    if let secure = line as? SecureLine, let fault = secure.fault { return .tls(fault) }
    return error == .timedOut ? .tooSlow : .network(error)
  }
}

extension S3Fault {
  /// Converts the error of a handshake into a fault.
  fileprivate init(_ error: SyncError) {
    switch error {
    case .tls(let fault): self = .tls(fault)
    case .network(let fault): self = .network(fault)
    case .storage(let fault, _): self = fault
    default: self = .tooSlow
    }
  }
}
