/// Answers the requests of a server; the thread that runs the server makes all calls.
protocol WebHost: AnyObject {
  /// Answers a request that the gatekeeper has admitted.
  func answer(_ request: HTTPRequest, _ target: Target, on connection: UInt64) -> Answer

  /// Called when the connection of a stream has ended.
  func ended(stream connection: UInt64)

  /// Checks for new commits.
  func checkForCommits()
}

/// The answer to a request.
enum Answer {
  case whole(HTTPResponse)
  /// A stream of events, with its first events.
  case stream([StreamEvent])
}
