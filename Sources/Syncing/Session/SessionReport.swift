package import Bytes

/// What a sync over a line came to.
package struct SessionReport: Hashable, Sendable {
  /// Events of each log that went out.
  package var sent: [UniqueID: UInt64]
  /// Events of each log that came and are on the disk.
  package var received: [UniqueID: UInt64]
  package var peerHello: Hello?
  /// What the peer last said that it holds.
  package var peerFrontier: Frontier
  /// What is held here.
  package var frontier: Frontier
  package var problems: [SyncProblem]
  /// What went over the line.
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

/// What a session has cost, without what the line adds to keep it safe.
package struct Traffic: Hashable, Sendable {
  package var bytesSent: Int
  package var bytesReceived: Int
  /// How often this side asked and was answered: by a hello, or for what it had sent.
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
