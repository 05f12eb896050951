/// Whom a server asks for its answers; all of it is called by the one thread that turns the server.
protocol WebHost: AnyObject {
  /// Answers a request that the gatekeeper has let in.
  func answer(_ request: HTTPRequest, _ target: Target, on connection: UInt64) -> Answer

  /// Hears that a client has left its stream.
  func ended(stream connection: UInt64)

  /// Looks whether something was committed.
  func checkForCommits()
}

/// What a request is answered with.
enum Answer {
  case whole(HTTPResponse)
  /// A stream of events that goes on, and how it begins.
  case stream([StreamEvent])
}
