import Bytes
import Crypto
import Journaling
import Platform
import Syncing

/// Keeps sessions open between a book and any number of peers, and tells all of them what is new.
///
/// It takes whoever calls, and calls whom it is told to, again and again. What comes from one goes on to the others; what
/// other processes of this machine commit goes to all.
final class LiveSync: SyncServerDelegate {
  /// A session as it stands.
  struct Session {
    var guest: BookReplica
    var peer: LivePeer
    /// What had been done, and had gone out, when it was last told of.
    var told: SessionReport?
    /// The events of each replica that had gone out by then.
    var departed: [UniqueID: [ClosedRange<UInt64>]] = [:]
    /// What the peer has shown of an invitation.
    var welcomed: (key: PublicKey, proof: Proof)?
    /// When what has come, and is stored but not looked at yet, is to be told at the latest.
    var due: Int64?
  }

  let book: Book
  let admission: Admission
  let tell: (LiveNews) -> Void
  /// The invited devices of which the user is asked; nil where all of them come in unasked.
  var questions: Questions?
  var sessions: [UInt64: Session] = [:]
  var destinations: [Destination] = []
  /// What is held since it was last told what came.
  var before: Holdings
  /// Whether it has been asked to end.
  private(set) var isStopping = false

  private let letsIn: @Sendable (PublicKey) -> Bool
  private let changeMonitor: ChangeMonitor
  private var syncServer: SyncServer?
  private var knownGuests: AllowedPeers?
  private var names: [UniqueID: String] = [:]
  /// What the events do that went out last; most go to all, to one after the other.
  private var lastWent: (events: [UniqueID: [ClosedRange<UInt64>]], changes: [Receipt.Changes])?
  /// What the folders of the logs looked like when all that is there was told to all.
  private var toldState: [String]?
  /// Whether something may have been committed that nobody was told of.
  private var mustLook = false
  /// When to look again after that has failed, if it has.
  private var nextLook: Int64?

  init(
    _ book: Book, admission: Admission, letsIn: @escaping @Sendable (PublicKey) -> Bool,
    doorkeeper: Doorkeeper? = nil, tell: @escaping (LiveNews) -> Void
  ) throws(DaybookError) {
    (self.book, self.admission, self.letsIn, self.tell) = (book, admission, letsIn, tell)
    questions = doorkeeper.map { Questions(to: $0) }
    book.core.projector.memoryLimit = book.machine.memory.serving
    changeMonitor = try ChangeMonitor(on: book.core)
    try book.settler.prepareToSync()
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

  /// How often it is looked whether somebody wants to stop; a signal also ends the wait.
  private static let patienceMilliseconds: Int64 = 200

  func listen(_ listener: any Listener) throws(DaybookError) {
    try wrap(DaybookError.sync) { () throws(SyncError) in try board.listen(listener) }
  }

  /// Carries all sessions until it is told to stop.
  func run(until isOver: () -> Bool) throws(DaybookError) {
    defer { stop() }
    while !isOver() { try turn(patienceMilliseconds: Self.patienceMilliseconds) }
    try hearOut()
  }

  /// Attends to all that has come by now: who has sent it may have gone, sure that it was heard.
  private func hearOut() throws(DaybookError) {
    let end = now + Syncing.Limit.lastWordsMilliseconds
    while now < end, try carry(patienceMilliseconds: 0) {}
  }

  /// Waits until something happens, for no longer than patience lasts, and does what is to be done then.
  ///
  /// To look at what has come takes longer than to store it, so it waits while others have something to say or to hear.
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

  /// Does what is to be done about the lines, and tells whether that was anything.
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

  // MARK: What others commit

  func checkForCommits() {
    do throws(DaybookError) {
      if try changeMonitor.wait(patienceMilliseconds: 0) { mustLook = true }
    } catch {
      tell(.failed(nil, error))
    }
  }

  /// Tells all what was committed by other processes, or came and was not told yet.
  private func lookAround() {
    do throws(DaybookError) {
      try announceCommits()
      (mustLook, nextLook) = (false, nil)
    } catch {
      // Whoever writes now is through in a moment.
      if case .busy = error { return }
      if nextLook == nil { tell(.failed(nil, error)) }
      nextLook = now + Self.pauseMilliseconds
    }
  }

  /// How long it is waited before it is looked again after that has failed.
  private static let pauseMilliseconds: Int64 = 1_000

  private func announceCommits() throws(DaybookError) {
    forgetGuests()
    try book.core.store.folder.reloadFile()
    guard book.layout.diskState(on: book.machine.disk) != toldState else { return }
    try book.settler.prepareToSync()
    // What a session has brought and is not through with is told with the rest of it.
    if !sessions.keys.contains(where: isBringing) { before = try book.holdingsReader.holdings() }
    noteTold()
    board.announceNews()
    try lookUpNames()
  }

  func isBringing(_ number: UInt64) -> Bool {
    guard let session = sessions[number], let call = board.call(number) else { return false }
    return call.conversation?.report.received ?? [:] != session.told?.received ?? [:]
  }

  /// Remembers that all that is held now was told to all.
  ///
  /// What others wrote since the book looked is not.
  func noteTold() { toldState = book.core.store.diskState }

  // MARK: Who may

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
      // Another process may have invited somebody a moment ago.
      let hasInvited = try book.invitations.expectsGuests()
      let letsIn = letsInStrangers
      return Credentials(identity) { key in allowedPeers.admits(key) { hasInvited || letsIn($0) } }
    }
  }

  private var letsInStrangers: @Sendable (PublicKey) -> Bool {
    let (letsIn, isForAll) = (letsIn, admission.isForAll)
    return { isForAll || letsIn($0) }
  }

  /// Whom the book lets in, looked up when something has changed.
  private func allowedPeers() throws(DaybookError) -> AllowedPeers {
    if let knownGuests, !mustLook { return knownGuests }
    // Another process may have joined another book since.
    try book.core.store.folder.reloadFile()
    let allowedPeers = try book.peerAllowList.allowedPeers()
    knownGuests = allowedPeers
    return allowedPeers
  }

  /// What devices are called, given all of which something is to be told.
  ///
  /// To look them up brings the read model up to what has come, for which nobody is to wait who only wants to hear that
  /// the other side has something: so that is done when the read model is at hand, and else for one who has no name yet.
  func names(of replicas: some Sequence<UniqueID>) throws(DaybookError) -> [UniqueID: String] {
    if replicas.contains(where: { names[$0] == nil }) { try lookUpNames() }
    return names
  }

  /// Looks up what devices are called, where the read model was just brought up to the journal.
  func lookUpNames() throws(DaybookError) { names = try book.deviceList.devices().names }

  /// What events do that went out; of more than a few it is not told, since nobody else is attended to meanwhile.
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

  /// Takes one who proves to be invited to the user, or lets it in where nobody is to be asked.
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

  /// Does what the user has answered, and asks what is to be asked next.
  private func attendToQuestions() {
    if let (question, isWelcome) = questions?.takeAnswered() {
      conclude(question) { () throws(SyncError) in
        if isWelcome { return try letIn(question) }
        try book.invitations.decline(question.proof, of: question.key)
        throw .unwelcome(.declined)
      }
    }
    while let question = questions?.next {
      // Since it came, another may have used its invitation, or it may have been let in over another call.
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
    // It counts though the session may break here, so it is said here, and other sessions hear of it.
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

  /// Does something with the book for a call, which is dropped if that fails.
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
  /// As it is told where it is about this machine and no peer.
  var asDaybookError: DaybookError {
    if case .network(let error) = self { .network(error) } else { .sync(self) }
  }
}
