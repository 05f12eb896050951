package import Bytes

/// The result of a sync over a line.
package struct SessionReport: Hashable, Sendable {
  /// The number of sent events, by log.
  package var sent: [UniqueID: UInt64]
  /// The number of events received and stored, by log.
  package var received: [UniqueID: UInt64]
  package var peerHello: Hello?
  /// The latest frontier that the peer has stated.
  package var peerFrontier: Frontier
  /// This side's frontier.
  package var frontier: Frontier
  package var problems: [SyncProblem]
  /// The number of bytes that were sent and received.
  package var traffic: Traffic

  package init(
    sent: [UniqueID: UInt64], received: [UniqueID: UInt64], peerHello: Hello?,
    peerFrontier: Frontier, frontier: Frontier, problems: [SyncProblem],
    traffic: Traffic = Traffic()
  ) {
    (self.sent, self.received, self.problems) = (sent, received, problems)
    (self.peerHello, self.peerFrontier, self.frontier) = (peerHello, peerFrontier, frontier)
    self.traffic = traffic
  }
}

/// The amount of data in a session, without the overhead of TLS.
package struct Traffic: Hashable, Sendable {
  package var bytesSent: Int
  package var bytesReceived: Int
  /// The number of round trips: one for the hello, and one for each `end` that was answered.
  package var roundTrips: Int

  package init(bytesSent: Int = 0, bytesReceived: Int = 0, roundTrips: Int = 0) {
    (self.bytesSent, self.bytesReceived) = (bytesSent, bytesReceived)
    self.roundTrips = roundTrips
  }

  package static func + (left: Traffic, right: Traffic) -> Traffic {
    Traffic(
      bytesSent: left.bytesSent + right.bytesSent,
      bytesReceived: left.bytesReceived + right.bytesReceived,
      roundTrips: left.roundTrips + right.roundTrips)
  }
}
