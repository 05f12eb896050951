import HTTP
package import Platform
package import S3

/// Signs and sends requests to a bucket, and repeats those that fail for a temporary reason.
package final class S3Client {
  private let address: BucketAddress
  let requests: BucketRequests
  private let signer: RequestSigner
  private let machine: Machine
  private let http: HTTPClient
  /// How far the service's clock is ahead of this machine's clock, in milliseconds; 0 until the service refuses a
  /// request's date.
  private var clockOffset: Int64 = 0

  /// The maximum number of attempts for a request.
  ///
  /// The pauses between the attempts take 15 s at most.
  private static let attempts = 5

  /// The time after which a failed request is not attempted again, so that a service that does not answer is given up.
  private static let patienceMilliseconds = Int64(Limit.silenceMilliseconds)

  /// Prepares to send requests; nothing is sent yet.
  ///
  /// - Parameters:
  ///   - address: The bucket.
  ///   - machine: The machine, which provides the access key.
  /// - Throws: ``S3Fault`` if there is no access key, or if the key cannot be read.
  package init(_ address: BucketAddress, on machine: Machine) throws(S3Fault) {
    let key: AccessKey?
    do throws(CredentialFault) { key = try SharedSettings(of: machine).key() } catch {
      throw .credentials(error)
    }
    guard let key else { throw .noKey }
    let service = address.service
    (self.address, requests, self.machine) = (address, BucketRequests(address), machine)
    signer = RequestSigner(key, region: service.region)
    http = HTTPClient(
      host: address.host, port: service.port, isEncrypted: service.isEncrypted, on: machine)
  }

  /// Sends a request.
  ///
  /// - Parameters:
  ///   - request: The request, not yet signed.
  ///   - bodyLimit: The maximum number of bytes in the body of a response that reports success.
  /// - Returns: The response, which may report any fault that is not temporary.
  /// - Throws: ``S3Fault`` if there is no such response after several attempts.
  func send(
    _ request: ClientRequest, bodyLimit: Int = S3Client.listBytes
  ) throws(S3Fault) -> ServerResponse {
    var backoff = Backoff()
    var (attempt, hasSetClock) = (1, false)
    let start = machine.timekeeper.monotonicMilliseconds()
    while true {
      do throws(S3Fault) {
        let response = try sendOnce(request, bodyLimit: bodyLimit)
        guard response.status >= 300 else { return response }
        let fault = S3Fault(response)
        guard fault == .clock, !hasSetClock, setClock(by: response) else {
          if fault.isTemporary { throw fault }
          return response
        }
        hasSetClock = true
      } catch {
        let passed = machine.timekeeper.monotonicMilliseconds() - start
        guard error.isTemporary, attempt < Self.attempts, passed < Self.patienceMilliseconds else {
          throw error
        }
        attempt += 1
        machine.timekeeper.pause(milliseconds: backoff.next(machine.dice))
      }
    }
  }

  /// The maximum size of a list.
  ///
  /// Each key takes at most 1,024 bytes, or three times as many if it is encoded, plus some markup.
  static let listBytes = 8 << 20

  /// The maximum size of the description of an error.
  static let errorBytes = 64 << 10

  private func sendOnce(
    _ request: ClientRequest, bodyLimit: Int
  ) throws(S3Fault) -> ServerResponse {
    let now = machine.timekeeper.now().milliseconds + clockOffset
    return try http.send(signer.signed(request, at: now), bodyLimit: bodyLimit)
  }

  /// Adopts the time of the service, which has refused a request because of the request's date.
  ///
  /// - Returns: Whether the response states a time.
  private func setClock(by response: ServerResponse) -> Bool {
    guard let date = response.fields.only("date").flatMap(UTCTime.parseHTTPDate) else {
      return false
    }
    clockOffset = date - machine.timekeeper.now().milliseconds
    return true
  }
}
