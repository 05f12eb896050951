import Bytes
import Crypto
import Journaling
import Platform
import Syncing

/// Keeps sessions open between a book and many peers, and sends new events to all of them.
///
/// It accepts callers, and calls its destinations again and again. Events from one peer are passed on to the others,
/// and events that other processes of this machine commit are sent to all.
final class LiveSync: SyncServerDelegate {
  /// The state of a session.
  struct Session {
    var guest: BookReplica
    var peer: LivePeer
    /// The report of the session as of the last message about it; nil before the first.
    var told: SessionReport?
    /// The events of each replica that had been sent by then.
    var departed: [UniqueID: [ClosedRange<UInt64>]] = [:]
    /// The proof of the peer's invitation.
    var welcomed: (key: PublicKey, proof: Proof)?
    /// The latest time to report events that are stored and not folded yet.
    var due: Int64?
  }

  let book: Book
  let admission: Admission
  let tell: (LiveNews) -> Void
  /// The invited devices that the user is asked about; nil if all of them are accepted without asking.
  var questions: Questions?
  var sessions: [UInt64: Session] = [:]
  var destinations: [Destination] = []
  /// The holdings when received events were last reported.
  var before: Holdings
  /// Whether it was asked to stop.
  private(set) var isStopping = false

  private let letsIn: @Sendable (PublicKey) -> Bool
  private let changeMonitor: ChangeMonitor
  private var syncServer: SyncServer?
  private var knownGuests: AllowedPeers?
  private var names: [UniqueID: String] = [:]
  /// What the events that were sent last do; most are sent to all peers, one after the other.
  private var lastWent: (events: [UniqueID: [ClosedRange<UInt64>]], changes: [Receipt.Changes])?
  /// The state of the folders of the logs when everything in them had been announced to all peers.
  private var toldState: [String]?
  /// Whether events may have been committed that are not announced yet.
  private var mustLook = false
  /// When to check again after a failure.
  private var nextLook: Int64?

  init(
    _ book: Book, admission: Admission, letsIn: @escaping @Sendable (PublicKey) -> Bool,
    doorkeeper: Doorkeeper? = nil, tell: @escaping (LiveNews) -> Void
  ) throws(DaybookError) {
    (self.book, self.admission, self.letsIn, self.tell) = (book, admission, letsIn, tell)
    questions = doorkeeper.map { Questions(to: $0) }
    book.core.projector.memoryLimit = book.machine.memory.serving
    changeMonitor = try ChangeMonitor(on: book.core)
    try Self.prepare(book, tell)
    before = try book.holdingsReader.holdings()
    noteTold()
    let made = try wrap(DaybookError.sync) { () throws(SyncError) in
      let board = try SyncServer(on: book.machine, host: self)
      try board.attend(to: changeMonitor.bell)
      return board
    }
    syncServer = made
  }

  var board: SyncServer {
    guard let syncServer else { preconditionFailure("it is made with its host") }
    return syncServer
  }

  var now: Int64 { book.machine.timekeeper.monotonicMilliseconds() }

  /// How often to check whether to stop, in milliseconds; a signal also ends the wait.
  private static let patienceMilliseconds: Int64 = 200

  func listen(_ listener: any Listener) throws(DaybookError) {
    try wrap(DaybookError.sync) { () throws(SyncError) in try board.listen(listener) }
  }

  /// Runs all sessions until a stop is requested.
  func run(until isOver: () -> Bool) throws(DaybookError) {
    defer { stop() }
    while !isOver() { try turn(patienceMilliseconds: Self.patienceMilliseconds) }
    try hearOut()
  }

  /// Handles all data that has arrived by now, also from peers that have disconnected since.
  private func hearOut() throws(DaybookError) {
    let end = now + Syncing.Limit.lastWordsMilliseconds
    while now < end, try carry(patienceMilliseconds: 0) {}
  }

  /// Waits for the next event, at most as long as the patience, and handles it.
  ///
  /// Folding received events takes longer than storing them, so it waits while other sessions have data to exchange.
  func turn(patienceMilliseconds: Int64) throws(DaybookError) {
    callThoseDue()
    let next = min(nextCall ?? .max, nextConclusion ?? .max)
    let patience = min(patienceMilliseconds, next > now ? next - now : 0)
    let isBusy = try carry(patienceMilliseconds: Int(patience))
    attendToQuestions()
    let mayLook = mustLook && now >= nextLook ?? 0
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

  /// Ends all sessions.
  func stop() {
    conclude()
    isStopping = true
    board.stop()
  }

  // MARK: Commits by other processes

  func checkForCommits() {
    do throws(DaybookError) {
      if try changeMonitor.wait(patienceMilliseconds: 0) { mustLook = true }
    } catch {
      tell(.failed(nil, error))
    }
  }

  /// Announces what other processes have committed, and received events that are not announced yet.
  private func lookAround() {
    do throws(DaybookError) {
      try announceCommits()
      (mustLook, nextLook) = (false, nil)
    } catch {
      // Another process that writes now is finished in a moment.
      if case .busy = error { return }
      if nextLook == nil { tell(.failed(nil, error)) }
      nextLook = now + Self.pauseMilliseconds
    }
  }

  /// The delay until it is checked again after a failure, in milliseconds.
  private static let pauseMilliseconds: Int64 = 1_000

  private func announceCommits() throws(DaybookError) {
    forgetGuests()
    try book.core.store.folder.reloadFile()
    guard book.layout.diskState(on: book.machine.disk) != toldState else { return }
    try Self.prepare(book, tell)
    // Events that a session has received and not reported yet stay out of `before`: that session reports them.
    if !sessions.keys.contains(where: isBringing) { before = try book.holdingsReader.holdings() }
    noteTold()
    board.announceNews()
    try lookUpNames()
  }

  func isBringing(_ number: UInt64) -> Bool {
    guard let session = sessions[number], let call = board.call(number) else { return false }
    return call.conversation?.report.received ?? [:] != session.told?.received ?? [:]
  }

  /// Records that all events of the last reading of the logs were announced to all peers.
  func noteTold() { toldState = book.core.store.diskState }

  // MARK: Accepting peers

  func credentials(for destination: Int?) throws(SyncError) -> Credentials {
    try inBook(at: nil) { () throws(DaybookError) in
      checkForCommits()
      let (identity, allowedPeers) = (try book.core.localDevice.identity, try allowedPeers())
      if let destination {
        let address = destinations[destination].contact.address
        let known = try address.flatMap { address throws(DaybookError) in
          try book.contactBook.contactPin(at: address)
        }
        destinations[destination].pin = known
        let pin = known?.pin
        return Credentials(identity) { allowedPeers.admits($0, pinned: pin) }
      }
      // Another process may just have made an invitation.
      let hasInvited = try book.invitations.expectsGuests()
      let letsIn = letsInStrangers
      return Credentials(identity) { key in allowedPeers.admits(key) { hasInvited || letsIn($0) } }
    }
  }

  private var letsInStrangers: @Sendable (PublicKey) -> Bool {
    let (letsIn, isForAll) = (letsIn, admission.isForAll)
    return { isForAll || letsIn($0) }
  }

  /// The peers that the book accepts, looked up when something has changed.
  private func allowedPeers() throws(DaybookError) -> AllowedPeers {
    if let knownGuests, !mustLook { return knownGuests }
    // Another process may have joined another book since.
    try book.core.store.folder.reloadFile()
    let allowedPeers = try book.peerAllowList.allowedPeers()
    knownGuests = allowedPeers
    return allowedPeers
  }

  /// The names of devices, for a report about some replicas.
  ///
  /// Looking them up updates the read model, for which a report must not wait, so this is done only if a name is not
  /// known yet. Otherwise the names are looked up after an update of the read model.
  func names(of replicas: some Sequence<UniqueID>) throws(DaybookError) -> [UniqueID: String] {
    if replicas.contains(where: { names[$0] == nil }) { try lookUpNames() }
    return names
  }

  /// Looks up the names of devices.
  ///
  /// This updates the read model, and is cheap if the read model is up to date.
  func lookUpNames() throws(DaybookError) { names = try book.deviceList.devices().names }

  /// What sent events do.
  ///
  /// This is not reported for more than a few, because no other session is served meanwhile.
  func went(
    _ events: [UniqueID: [ClosedRange<UInt64>]], _ branches: [UniqueID: [ClosedRange<UInt64>]]
  ) throws(DaybookError) -> [Receipt.Changes] {
    guard events.values.joined().reduce(0, { $0 + $1.count }) <= Self.fewEvents else { return [] }
    if let lastWent, lastWent.events == events, branches.isEmpty { return lastWent.changes }
    let departed = book.changeSummaryReader.departedEvents(events, branches)
    let changes = try book.receipts.went(departed, try names(of: events.keys))
    lastWent = (events, changes)
    return changes
  }

  private static let fewEvents = 20

  func forgetGuests() { knownGuests = nil }

  func converse(_ call: Call) throws(SyncError) -> AcceptedPeer {
    try inBook(at: call.peer) { () throws(DaybookError) in
      let allowedPeers = try allowedPeers()
      let isKnown =
        call.destination != nil
        || call.peerKey.map { allowedPeers.admits($0, orElse: letsInStrangers) } ?? false
      let guest = BookReplica(of: book.replica, with: call.peerKey)
      sessions[call.number] = Session(guest: guest, peer: try peer(of: call))
      let conversation = Conversation(
        call.destination == nil ? .listener : .dialler, holder: guest,
        timekeeper: book.machine.timekeeper, peerKey: call.peerKey, since: call.start,
        admissionCheck: admissionCheck(for: call, isKnown: isKnown), stays: true)
      return AcceptedPeer(conversation, isKnown: isKnown)
    }
  }

  private func admissionCheck(for call: Call, isKnown: Bool) -> AdmissionCheck {
    AdmissionCheck(asksForProof: !isKnown) { [unowned self, unowned call] proof throws(SyncError) in
      guard let key = call.peerKey else { throw .unwelcome(.wrongProof) }
      return try meet(key, showing: proof, over: call)
    }
  }

  /// Asks the user about a peer with a valid proof, or accepts it without asking if no question is set up.
  private func meet(
    _ key: PublicKey, showing proof: Proof, over call: Call
  ) throws(SyncError) -> AdmissionCheck.Answer {
    guard questions != nil, !letsInStrangers(key), try book.invitations.isNew(key, showing: proof)
    else {
      try letIn(key, showing: proof, over: call.number)
      return .welcome
    }
    let pendingDevice = PendingDevice(name: proof.name, words: key.fingerprint, address: call.peer)
    questions?.add(
      Questions.Question(call: call.number, key: key, proof: proof, pendingDevice: pendingDevice))
    return .asking
  }

  /// Carries out the answer of the user, if there is one, and asks the next question.
  private func attendToQuestions() {
    if let (question, isWelcome) = questions?.takeAnswered() {
      conclude(question) { () throws(SyncError) in
        if isWelcome { return try letIn(question) }
        try book.invitations.decline(question.proof, of: question.key)
        throw .unwelcome(.declined)
      }
    }
    while let question = questions?.next {
      // Since it connected, its invitation may have been used by another device, or it may have been admitted over
      // another call.
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
    // The admission counts even if the session breaks here, so it is reported at once, also to the other sessions.
    mustLook = true
    tell(.letIn(peer, name: name, words: key.fingerprint))
  }

  private func peer(of call: Call) throws(DaybookError) -> LivePeer {
    if let destination = call.destination {
      return LivePeer(name: destinations[destination].contact.name, address: call.peer)
    }
    let name = try call.peerKey.flatMap { key throws(DaybookError) in
      try book.deviceList.devices().first { $0.key == key.bytes }?.name
    }
    return LivePeer(name: name, address: call.peer)
  }

  /// Runs a function with the book for a call.
  ///
  /// If it fails, the call is ended.
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
  /// The error as it is reported if it is about this machine rather than a peer.
  var asDaybookError: DaybookError {
    if case .network(let error) = self { .network(error) } else { .sync(self) }
  }
}
