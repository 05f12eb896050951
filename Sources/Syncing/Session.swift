package import Bytes
package import Crypto

/// The talk of two holders, as a state machine over bytes.
///
/// One speaks at a time, so that neither can wait for the other to read: the dialler says hello,
/// the listener answers with its own, and with what it holds where the dialler has something else;
/// the dialler sends what the listener lacks and ends; the listener puts it on its disk,
/// acknowledges, sends what the dialler lacks and ends; the dialler puts that on its disk and
/// acknowledges. A dialler that was invited proves that before it says hello. Whoever drives it does the effects in order, and after an effect that asks for it
/// calls ``sent()`` or ``committed(_:)``.
package struct Session: Sendable {
  package enum Role: Hashable, Sendable { case dialler, listener }

  package enum Effect: Hashable, Sendable {
    case send([UInt8])
    /// Send what the holder says to one who has said this, as ``Session/greeting(_:)``.
    case greet(Hello)
    /// Send the frames that are lacked by one who holds this, each as ``Session/message(_:of:)``,
    /// then call ``Session/sent()``.
    case export(Frontier)
    case stage(log: UniqueID, frame: [UInt8])
    /// Let in who proves to be invited, or fail.
    case welcome(Proof)
    /// Commit, then call ``Session/committed(_:)``.
    case commit
    /// Both have what either had.
    case finish
    /// Close the line; nothing more can be done.
    case fail(SyncError)
  }

  /// What is waited for.
  package enum Phase: Hashable, Sendable {
    case hello, frames, commit, export, acknowledgement, done
  }

  package let role: Role
  package let hello: Hello
  package private(set) var phase = Phase.hello
  package private(set) var peer: Hello?
  /// What the other last said that it holds.
  package private(set) var peerFrontier = Frontier.nothing
  /// All that the other has said that it holds.
  private var peerPlaces = Frontier.nothing
  private var reader = MessageReader()
  /// What the dialler shows of an invitation, if it has one.
  private let proof: Proof?
  /// Whether the dialler has to show that it was invited, and has not yet.
  private var lacksProof: Bool
  private var hasHeardProof = false

  /// The key that the other has shown, where the line can tell.
  private let peerKey: PublicKey?

  package init(
    _ role: Role, hello: Hello, peerKey: PublicKey? = nil, proof: Proof? = nil,
    asksForProof: Bool = false
  ) {
    self.role = role
    self.peerKey = peerKey
    self.hello = hello
    self.proof = proof
    lacksProof = asksForProof
  }

  package mutating func start() -> [Effect] {
    guard role == .dialler else { return [] }
    let shown = proof.map { [Effect.send(Message.prove($0).encoded)] } ?? []
    return shown + [.send(Self.greeting(hello))]
  }

  /// Takes bytes of the other's, split as they may be.
  package mutating func receive(_ bytes: [UInt8]) -> [Effect] {
    guard phase != .done else { return [] }
    reader.append(bytes)
    var effects: [Effect] = []
    do throws(SyncError) {
      while phase != .done {
        let offset = reader.offset
        guard let message = try reader.next() else { break }
        effects += try take(message, at: offset)
      }
    } catch {
      effects += fail(error)
    }
    return effects
  }

  /// Goes on after an export.
  package mutating func sent() -> [Effect] {
    // It may have ended meanwhile, by what came behind.
    guard phase != .done else { return [] }
    precondition(phase == .export, "what is sent was asked for")
    // The dialler sends first and hears the acknowledgement in front of the listener's frames.
    phase = .acknowledgement
    return [.send(Message.end.encoded)]
  }

  /// Goes on after a commit.
  package mutating func committed(_ frontier: Frontier) -> [Effect] {
    guard phase != .done else { return [] }
    precondition(phase == .commit, "what is committed was asked for")
    let acknowledgement = Effect.send(Message.acknowledgement(frontier).encoded)
    if role == .dialler {
      phase = .done
      return [acknowledgement, .finish]
    }
    phase = .export
    return [acknowledgement, .export(peerPlaces)]
  }

  /// Ends the session for a reason on this side.
  package mutating func fail(_ error: SyncError) -> [Effect] {
    guard phase != .done else { return [] }
    phase = .done
    let refusal = Refusal(error).map { Effect.send(Message.refusal($0).encoded) }
    return (refusal.map { [$0] } ?? []) + [.fail(error)]
  }

  /// Hears that the other has closed the line.
  package mutating func closed() -> [Effect] {
    guard phase != .done else { return [] }
    phase = .done
    return [.fail(.cut)]
  }

  /// A frame of an export, ready to be sent.
  package static func message(_ frame: [UInt8], of log: UniqueID) -> [UInt8] {
    Message.frame(log: log, frame).encoded
  }

  /// A hello, ready to be sent.
  package static func greeting(_ hello: Hello) -> [UInt8] { Message.hello(hello).encoded }

  private mutating func take(
    _ message: Message, at offset: Int
  ) throws(SyncError) -> [Effect] {
    switch (message, phase) {
    case (.refusal(let refusal), _):
      phase = .done
      return [.fail(.refused(refusal))]
    case (.prove(let proof), .hello) where role == .listener && !hasHeardProof:
      hasHeardProof = true
      lacksProof = false
      return [.welcome(proof)]
    case (.hello(let other), .hello):
      // Who is not known learns nothing of the book.
      guard !lacksProof else { throw .unwelcome(.notInvited) }
      return meet(other)
    case (.frame(let log, let frame), .frames):
      return [.stage(log: log, frame: frame)]
    case (.end, .frames):
      phase = .commit
      return [.commit]
    case (.acknowledgement(let theirs), .acknowledgement):
      hear(theirs)
      phase = role == .dialler ? .frames : .done
      return role == .dialler ? [] : [.finish]
    default:
      throw .unexpected(at: offset)
    }
  }

  private mutating func meet(_ other: Hello) -> [Effect] {
    if let peerKey {
      do throws(SyncError) { try other.checkSpeaker(peerKey) } catch { return fail(error) }
    }
    peer = other
    hear(other.frontier)
    do throws(SyncError) {
      try hello.check(other)
    } catch {
      // The dialler hears who we are even when it is turned away, and can see for itself why.
      return (role == .listener ? [.send(Self.greeting(hello))] : []) + fail(error)
    }
    phase = role == .listener ? .frames : .export
    return role == .listener ? [.greet(other)] : [.export(peerPlaces)]
  }

  private mutating func hear(_ frontier: Frontier) {
    peerFrontier = frontier
    peerPlaces = peerPlaces.union(frontier)
  }
}
