/// Answers a server's requests; all methods are called on the thread that runs the server.
protocol WebHost: AnyObject {
  /// Answers a request that the gatekeeper has admitted.
  func answer(_ request: HTTPRequest, _ target: Target, on connection: UInt64) -> Answer

  /// Called when the connection of a stream has ended.
  func ended(stream connection: UInt64)

  func checkForCommits()
}

/// The answer to a request.
enum Answer {
  case whole(HTTPResponse)
  /// A stream of events, beginning with the given events.
  case stream([StreamEvent])
}
