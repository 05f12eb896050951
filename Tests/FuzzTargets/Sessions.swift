import Platform
import SimulatedPlatform
import Syncing

/// Messages that a peer can send, in any order.
enum Sessions {
  /// The first byte has the settings of the session.
  ///
  /// Messages follow, each preceded by its length in two bytes.
  static func take(_ bytes: [UInt8]) throws(Violation) {
    guard let flags = bytes.first else { return }
    let isListener = flags & 1 == 0
    guard let pair = try? Pair.made.get(),
      let holder = try? Keeper(like: isListener ? pair.bert : pair.anna)
    else { throw Violation(rule: "a book can be created") }
    let before = holder.frontier
    var conversation = Conversation(
      isListener ? .listener : .dialler, holder: holder,
      timekeeper: SimulatedTimekeeper(now: Moment(milliseconds: 0)), stays: flags & 2 != 0,
      stagedBytes: flags & 4 == 0 ? Portion.stagedBytes : 500)
    if !isListener { conversation.start() }
    for message in messages(bytes.dropFirst()) {
      conversation.receive(Messages.framed(message))
      if flags & 8 != 0 { conversation.announceNews() }
      try hearOut(&conversation)
    }
    conversation.lineBroke(.cut)
    try hearOut(&conversation)
    try demand(holder.holdsAll(of: before), "no held events are lost")
    guard let reopened = try? Keeper(like: holder.device) else {
      throw Violation(rule: "a journal can be reopened")
    }
    try demand(reopened.frontier == holder.frontier, "all announced events are on the disk")
  }

  private static func hearOut(_ conversation: inout Conversation) throws(Violation) {
    var said = 0
    while conversation.hasOutgoing { said += conversation.outgoing(upTo: 4_096).count }
    try demand(said < 1 << 20, "a small book sends few bytes")
    try demand(conversation.heldBytes < 1 << 20, "few received bytes use little memory")
  }

  private static func messages(_ bytes: ArraySlice<UInt8>) -> [[UInt8]] {
    var (messages, rest) = ([[UInt8]](), bytes)
    while rest.count >= 2 {
      let count = Int(Frames.number(rest.prefix(2)))
      messages.append(Array(rest.dropFirst(2).prefix(count)))
      rest = rest.dropFirst(2 + count)
    }
    return messages
  }
}
