import Bytes
import Crypto
import Journaling
import Platform
import Syncing

/// Keeps sessions open between a book and many peers, and sends new events to all of them.
///
/// A live sync accepts callers, and repeatedly calls its destinations. Events from one peer are forwarded to the
/// others, and events that other processes of this machine commit are sent to all.
final class LiveSync: SyncServerDelegate {
  /// The state of a session.
  struct Session {
    var guest: BookReplica
    var peer: LivePeer
    /// The report of the session at the time of the last message about it; nil before the first message.
    var told: SessionReport?
    /// The events that had been sent by the time of that message, by replica.
    var departed: [UniqueID: [ClosedRange<UInt64>]] = [:]
    /// The proof of the peer's invitation.
    var welcomed: (key: PublicKey, proof: Proof)?
    /// The latest time at which to fold received events and to report the exchange.
    var due: Int64?
  }

  enum Phase {
    case running
    /// A stop was requested, and only data that has already arrived is handled.
    ///
    /// Calls that end now are not reported as lost, because Ctrl-C also ends the programs that connect them.
    case hearingOut
    /// All sessions have been ended.
    case stopped
  }

  let book: Book
  let admission: Admission
  let tell: (LiveNews) -> Void
  /// The invited devices awaiting the user's answer; nil if all invited devices are accepted without asking.
  var questions: Questions?
  var sessions: [UInt64: Session] = [:]
  /// The peers to call.
  var dials: RedialList
  /// The holdings when received events were last reported.
  var before: Holdings
  private(set) var phase = Phase.running

  /// Detects commits by other processes.
  private var commits: CommitWatch
  private var gate: PeerGate
  var sentEvents: SentEventSummarizer
  private var syncServer: SyncServer?

  init(
    _ book: Book, admission: Admission, letsIn: @escaping @Sendable (PublicKey) -> Bool,
    doorkeeper: Doorkeeper? = nil, tell: @escaping (LiveNews) -> Void
  ) throws(DaybookError) {
    (self.book, self.admission, self.tell) = (book, admission, tell)
    dials = RedialList(on: book.machine)
    gate = PeerGate(of: book, admission: admission, letsIn: letsIn)
    sentEvents = SentEventSummarizer(of: book)
    questions = doorkeeper.map { Questions(to: $0) }
    book.core.projector.memoryLimit = book.machine.memory.serving
    commits = try CommitWatch(on: book.core)
    try Self.prepare(book, tell)
    before = try book.holdingsReader.holdings()
    noteTold()
    let made = try wrap(DaybookError.sync) { () throws(SyncError) in
      let board = try SyncServer(on: book.machine, host: self)
      try board.attend(to: commits.bell)
      return board
    }
    syncServer = made
  }

  var board: SyncServer {
    guard let syncServer else {
      preconditionFailure("the server is created together with its host")
    }
    return syncServer
  }

  var now: Int64 { book.machine.timekeeper.monotonicMilliseconds() }

  /// The interval, in milliseconds, between checks for a request to stop; a signal also ends the wait.
  private static let patienceMilliseconds: Int64 = 200

  func listen(_ listener: any Listener) throws(DaybookError) {
    try wrap(DaybookError.sync) { () throws(SyncError) in try board.listen(listener) }
  }

  /// Serves a caller that is already connected.
  func serve(_ line: any Line) throws(DaybookError) {
    try wrap(DaybookError.sync) { () throws(SyncError) in try board.serve(line) }
  }

  /// Whether a caller or a called peer is connected.
  var hasCalls: Bool { board.count > 0 }

  /// Calls a peer, and calls it again whenever the connection is lost.
  func follow(_ contact: Contact, at address: MachineAddress) { dials.add(contact, at: address) }

  /// Runs all sessions until a stop is requested.
  func run(until isOver: () -> Bool) throws(DaybookError) {
    defer { stop() }
    while !isOver() { try turn(patienceMilliseconds: Self.patienceMilliseconds) }
    try hearOut()
  }

  /// Handles all data that has arrived so far, including data from peers that have disconnected since.
  private func hearOut() throws(DaybookError) {
    phase = .hearingOut
    let end = now + Syncing.Limit.lastWordsMilliseconds
    while now < end, try carry(patienceMilliseconds: 0) {}
  }

  /// Waits for the next event, for at most the given time, and handles it.
  ///
  /// Folding received events takes longer than storing them, so folding is delayed while other sessions have data to
  /// exchange.
  func turn(patienceMilliseconds: Int64) throws(DaybookError) {
    for (number, address) in dials.takeDue() { board.dial(address, as: number) }
    let next = min(dials.nextCall ?? .max, nextConclusion ?? .max)
    let patience = min(patienceMilliseconds, next > now ? next - now : 0)
    let isBusy = try carry(patienceMilliseconds: Int(patience))
    attendToQuestions()
    let mayLook = commits.mustLook && commits.mayLook(at: now)
    if mayLook { lookAround() }
    guard let next = nextConclusion else { return }
    if !isBusy, !mayLook, next <= now { conclude() } else { conclude(upTo: now) }
  }

  /// Handles the lines, and returns whether there was anything to do.
  private func carry(patienceMilliseconds: Int) throws(DaybookError) -> Bool {
    try wrap({ $0.asDaybookError }) { () throws(SyncError) in
      try board.turn(patienceMilliseconds: patienceMilliseconds)
    }
  }

  /// Folds and reports the received events, and ends all sessions.
  func stop() {
    conclude()
    phase = .stopped
    board.stop()
  }

  // MARK: Commits by other processes

  func checkForCommits() {
    do throws(DaybookError) {
      try commits.check()
    } catch {
      tell(.failed(nil, error))
    }
  }

  /// Announces the commits of other processes, and received events that have not been announced yet.
  private func lookAround() {
    do throws(DaybookError) {
      try announceCommits()
      commits.noteLooked()
    } catch {
      // Another process is writing, and will finish soon.
      if case .busy = error { return }
      if !commits.hasFailed { tell(.failed(nil, error)) }
      commits.noteFailure(at: now)
    }
  }

  private func announceCommits() throws(DaybookError) {
    forgetGuests()
    try book.core.store.folder.reloadFile()
    guard !commits.hasAnnounced(book.layout.diskState(on: book.machine.disk)) else { return }
    try Self.prepare(book, tell)
    // Events that a session has received but not reported yet are left out of `before`, because that session will
    // report them.
    if !sessions.keys.contains(where: isBringing) { before = try book.holdingsReader.holdings() }
    noteTold()
    board.announceNews()
    try sentEvents.lookUpNames()
  }

  func isBringing(_ number: UInt64) -> Bool {
    guard let session = sessions[number], let call = board.call(number) else { return false }
    return call.conversation?.report.received ?? [:] != session.told?.received ?? [:]
  }

  /// Records that all events found when the logs were last read have been announced to all peers.
  func noteTold() { commits.noteAnnounced(book.core.store.diskState) }

  // MARK: Accepting peers

  func credentials(for destination: Int?) throws(SyncError) -> Credentials {
    if let machine = destination.flatMap({ dials.contact($0).address?.machine }),
      machine.endpoint.map(book.service.isOwn) ?? false
    {
      throw .ownAddress(machine.text)
    }
    return try inBook(at: nil) { () throws(DaybookError) in
      checkForCommits()
      let (identity, allowedPeers) = (
        try book.core.localDevice.identity, try gate.allowedPeers(isStale: commits.mustLook)
      )
      if let destination {
        let address = dials.contact(destination).address
        let known = try address.flatMap { address throws(DaybookError) in
          try book.contactBook.contactPin(at: address)
        }
        dials.notePin(known, of: destination)
        let pin = known?.pin
        return Credentials(identity) { allowedPeers.admits($0, pinned: pin) }
      }
      // Another process may just have made an invitation.
      let hasInvited = try book.invitations.expectsGuests()
      let letsIn = gate.letsInStrangers
      return Credentials(identity) { key in allowedPeers.admits(key) { hasInvited || letsIn($0) } }
    }
  }

  /// Makes the next connection look up again which peers the book accepts.
  func forgetGuests() { gate.forget() }

  func converse(_ call: Call) throws(SyncError) -> AcceptedPeer {
    if let destination = call.destination { dials.noteAnswered(destination) }
    return try inBook(at: call.peer) { () throws(DaybookError) in
      let allowedPeers = try gate.allowedPeers(isStale: commits.mustLook)
      let isKnown =
        call.destination != nil
        || call.peerKey.map { allowedPeers.admits($0, orElse: gate.letsInStrangers) } ?? false
      let guest = BookReplica(of: book.replica, with: call.peerKey)
      sessions[call.number] = Session(guest: guest, peer: try peer(of: call))
      let conversation = Conversation(
        call.destination == nil ? .listener : .dialler, holder: guest,
        timekeeper: book.machine.timekeeper, peerKey: call.peerKey, since: call.start,
        admissionCheck: admissionCheck(for: call, isKnown: isKnown), stays: true)
      let payer = try call.peerKey.map { key throws(DaybookError) in
        try wrap(DaybookError.journal) { () throws(JournalError) in
          try book.replica.quotas.sponsor(of: key)
        }
      }
      return AcceptedPeer(conversation, isKnown: isKnown, payer: payer)
    }
  }

  private func admissionCheck(for call: Call, isKnown: Bool) -> AdmissionCheck {
    AdmissionCheck(asksForProof: !isKnown) { [unowned self, unowned call] proof throws(SyncError) in
      guard let key = call.peerKey else { throw .unwelcome(.wrongProof) }
      return try meet(key, showing: proof, over: call)
    }
  }

  /// Asks the user about a new peer with a valid proof, or accepts the peer at once if no question is needed.
  private func meet(
    _ key: PublicKey, showing proof: Proof, over call: Call
  ) throws(SyncError) -> AdmissionCheck.Answer {
    guard questions != nil, !gate.letsInStrangers(key),
      try book.invitations.isNew(key, showing: proof)
    else {
      try letIn(key, showing: proof, over: call.number)
      return .welcome
    }
    let pendingDevice = PendingDevice(name: proof.name, words: key.fingerprint, address: call.peer)
    questions?.add(
      Questions.Question(call: call.number, key: key, proof: proof, pendingDevice: pendingDevice))
    return .asking
  }

  /// Carries out the user's answer, if there is one, and asks the next question.
  private func attendToQuestions() {
    if let (question, isWelcome) = questions?.takeAnswered() {
      conclude(question) { () throws(SyncError) in
        if isWelcome { return try letIn(question) }
        try book.invitations.decline(question.proof, of: question.key)
        throw .unwelcome(.declined)
      }
    }
    while let question = questions?.next {
      // Since the device connected, another device may have used its invitation, or the device may have been admitted
      // over another call.
      do throws(SyncError) {
        guard try !book.invitations.isNew(question.key, showing: question.proof) else {
          questions?.askNext()
          return
        }
        questions?.skipNext()
        conclude(question) { () throws(SyncError) in try letIn(question) }
      } catch {
        questions?.skipNext()
        board.answer(question.call, refusing: error)
      }
    }
  }

  private func conclude(_ question: Questions.Question, _ body: () throws(SyncError) -> Void) {
    do throws(SyncError) {
      try body()
      board.answer(question.call, refusing: nil)
    } catch {
      board.answer(question.call, refusing: error)
    }
  }

  private func letIn(_ question: Questions.Question) throws(SyncError) {
    try letIn(question.key, showing: question.proof, over: question.call)
  }

  private func letIn(
    _ key: PublicKey, showing proof: Proof, over number: UInt64
  ) throws(SyncError) {
    let name = try book.invitations.welcome(proof, of: key)
    sessions[number]?.welcomed = (key, proof)
    forgetGuests()
    guard let name, let peer = sessions[number]?.peer else { return }
    // The admission counts even if this session fails now, so it is reported immediately and announced to the other
    // peers.
    commits.demandLook()
    tell(.letIn(peer, name: name, words: key.fingerprint))
  }

  private func peer(of call: Call) throws(DaybookError) -> LivePeer {
    if let destination = call.destination {
      return LivePeer(name: dials.contact(destination).name, address: call.peer)
    }
    let name = try call.peerKey.flatMap { key throws(DaybookError) in
      try book.deviceList.devicesWithoutClocks().first { $0.key == key.bytes }?.name
    }
    return LivePeer(name: name, address: call.peer)
  }

  /// Runs a function that uses the book on behalf of a call.
  ///
  /// If the function fails, the call ends.
  private func inBook<Value>(
    at address: String?, _ body: () throws(DaybookError) -> Value
  ) throws(SyncError) -> Value {
    do throws(DaybookError) { return try body() } catch {
      tell(.failed(address, error))
      throw .cut
    }
  }
}

extension SyncError {
  /// The error as reported when it concerns this machine rather than a peer.
  var asDaybookError: DaybookError {
    if case .network(let error) = self { .network(error) } else { .sync(self) }
  }
}
