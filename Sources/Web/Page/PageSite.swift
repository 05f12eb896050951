import Bytes
package import Daybook
package import Domain
import Phrasing
import Platform
import ReadModel

/// The page of one book, which answers the requests of browsers and sends every change to open pages.
package final class PageSite {
  let book: Book
  let rule: LeapRule
  /// The path of the page, with its key.
  let base: String
  let assets = Assets()
  /// The reference is weak, because the server owns the page.
  weak var server: WebServer?
  /// The state of the book at the current revision.
  var present: Present
  private(set) var openViews = OpenViews()
  var wishes = WishMemory()
  var syncs = SyncDesk()
  private let changeMonitor: ChangeMonitor
  /// A random name that distinguishes this run of the server from all others.
  private let run: String
  private var pastModels: [(moment: Int64, model: ReadModel)] = []

  private static let pastModelsKept = 3

  /// The state of the book when it was last read.
  struct Present {
    var revision = 0
    var entries = EntryList.none
    var day: CivilDate?
    /// Whether there may be commits that have not been sent to the pages yet.
    var isBehind = false
  }

  /// Creates the page.
  ///
  /// The first component of all its paths is a key that only the book's owner receives.
  package init(_ book: Book, rule: LeapRule, key: String) throws {
    (self.book, self.rule, base) = (book, rule, "/\(key)/")
    changeMonitor = try ChangeMonitor(on: book.core)
    run = Hex.encode(Array(book.machine.dice.bytes(4)))
    present = Present(
      revision: 0, entries: try book.historyReader.entries(), day: book.machine.timekeeper.today)
    _ = try changeMonitor.look()
  }

  /// Returns the name of a revision, which includes the run of the server.
  func name(of revision: Int) -> String { "\(run)-\(revision)" }

  var revisionName: String { name(of: present.revision) }

  /// Returns the revision with the given name; nil if the name comes from a different run.
  func revision(named name: String) -> Int? {
    guard name.hasPrefix(run + "-") else { return nil }
    return Int(name.dropFirst(run.count + 1))
  }

  var bell: any Watch { changeMonitor.bell }
}

// MARK: Answers

extension PageSite {
  func snapshot(at moment: Int64?) throws -> Snapshot {
    guard let moment else { return Snapshot(book: book, model: try book.view()) }
    if let known = pastModels.first(where: { $0.moment == moment }) {
      return Snapshot(book: book, model: known.model)
    }
    let model = try book.view(at: moment)
    pastModels.append((moment, model))
    if pastModels.count > Self.pastModelsKept { pastModels.removeFirst() }
    return Snapshot(book: book, model: model)
  }

  func page(at moment: Int64?) throws -> PageSnapshot {
    let entries = moment.map { present.entries.until($0) } ?? present.entries
    return try PageSnapshot(try snapshot(at: moment), moment: moment, rule: rule, entries: entries)
  }

  func view(_ address: ViewAddress, on page: PageSnapshot) throws -> PageView {
    var view = try content(of: address, on: page)
    view.folio = page.entries.count
    return view
  }

  private func content(of address: ViewAddress, on page: PageSnapshot) throws -> PageView {
    switch address.name {
    case .today: try TodayView(page: page).view()
    case .lists: try ListViews(page: page).all()
    case .list(let id):
      try ListViews(page: page).one(
        id, finding: address.finding, showsAll: address.showsAll)
    case .todo(let id): try TodoView(page: page).one(id)
    case .birthdays: try BirthdaysView(page: page).view(by: address.birthdaySort)
    case .questions: try QuestionViews(page: page).all()
    case .question(let id): try QuestionViews(page: page).one(id)
    case .history:
      try HistoryView(page: page).view(among: present.entries, before: 9, after: 2)
    case .conflicts: try ConflictsView(page: page).view()
    case .devices:
      try DevicesView(page: page).view(syncs: syncs.notes, standing: try status())
    case .settings: PageView(PageView.Head(title: "Settings"))
    }
  }

  /// Returns how far this book is in step with its copies on other devices.
  func status() throws -> PageStatus {
    try PageStatus(of: book, isSyncing: syncs.isRunning, trouble: syncs.trouble)
  }

  /// Returns the members that every answer contains in addition to its view.
  func frame(of page: PageSnapshot) throws -> [JSON.Member] {
    [
      JSON.Member("revision", .string(revisionName)),
      JSON.Member("at", .words(page.moment.map { Instant.exactText($0) })),
      JSON.Member("moment", moment(of: page)),
      JSON.Member("nav", try nav(page)), JSON.Member("status", try status().json),
    ]
  }

  /// Returns the time that is shown, in the format of the banner.
  private func moment(of page: PageSnapshot) -> JSON {
    guard let moment = page.moment else { return .null }
    let number = page.entries.count
    let words =
      number == 0 ? "before the first entry" : "\(page.momentWords(moment)), entry \(number)"
    return .object(
      ("words", .string(words)), ("instant", .string(Instant.exactText(moment))))
  }

  /// Returns the navigation: the lists, and the number of entries, conflicts and due to-dos.
  func nav(_ page: PageSnapshot) throws -> JSON {
    let agenda = Agenda(page.dues, in: page.model)
    let due = try [agenda.overdue(), agenda.today()].compactMap(\.self).reduce(0) { sum, filter in
      sum + (try page.model.todos.count(of: filter, upTo: .max))
    }
    let lists = page.lists.map { list in
      JSON.object(
        ("id", .string(list.head.id.uuid)), ("title", .string((list.name ?? "").visible)),
        ("colour", .words(list.colour?.colourWords)), ("open", .integer(list.openTodos)))
    }
    return .object(
      ("lists", .array(lists)), ("entries", .integer(Int64(present.entries.count))),
      ("conflicts", .integer(Int64(page.unsettled.count))),
      ("due", .integer(Int64(due))))
  }

  /// Returns a view for the API.
  ///
  /// If the view shows the present, it is kept up to date from then on.
  func answer(_ address: ViewAddress) throws -> JSON {
    try refresh(saying: true)
    let page = try page(at: address.moment)
    let view = try view(address, on: page)
    if address.moment == nil { remember(view, at: address) }
    return .object(
      try frame(of: page) + [JSON.Member("view", .string(address.name.text))] + view.rest
        + [JSON.Member("sections", view.sectionsJSON)])
  }

  private func remember(_ view: PageView, at address: ViewAddress) {
    // If the view has changed since it was last read, its followers receive the same state as this request.
    if openViews.isOutdated(view, at: address) { present.revision += 1 }
    send(openViews.remember(view, at: address, present.revision, id: revisionName), to: address)
  }
}

// MARK: Changes

extension PageSite {
  func checkForCommits() {
    do {
      guard try changeMonitor.wait(patienceMilliseconds: 0) else { return }
      try refresh(saying: true)
    } catch {
      // The next commit or request shows whether the book can be read again.
      tellAll([StreamEvent("status", troubleJSON("The book cannot be read at the moment."))])
    }
  }

  /// Reads the commits since the last call, and sends the changes to all pages.
  ///
  /// With `isOfOthers`, the method also sends a message that names the devices that wrote the changes.
  func refresh(saying isOfOthers: Bool) throws {
    let (_, touched) = try changeMonitor.look()
    if case .nothing = touched, !present.isBehind { return }
    let before = present.entries
    let isStep = if case .documents = touched { !present.isBehind } else { false }
    // If reading fails, the next call must read again, even if there are no new commits by then.
    present.isBehind = true
    present.entries = try book.historyReader.entries(after: isStep ? before : nil)
    present.revision += 1
    pastModels = []
    try tellViews()
    present.isBehind = false
    if isOfOthers, present.entries.count > before.count {
      try sayWhoWrote(since: before)
    }
  }

  /// Updates all pages when a new day has begun.
  func attendToDay() {
    let today = book.machine.timekeeper.today
    guard today != present.day else { return }
    present.day = today
    present.revision += 1
    // If the book cannot be read, the next request from a page reports it.
    try? tellViews()
  }

  /// Sends each open view its changes, and sends all pages the counts and the status.
  func tellViews() throws {
    let page = try page(at: nil)
    for address in openViews.addresses {
      guard let view = try? view(address, on: page) else {
        // The view no longer exists, so the page must request it again.
        send([StreamEvent("reload", .object([]))], to: address)
        openViews.forget(address)
        continue
      }
      send(openViews.update(view, at: address, present.revision, id: revisionName), to: address)
    }
    tellAll([
      StreamEvent("counts", try nav(page), id: revisionName),
      StreamEvent("status", try status().json),
    ])
  }

  private func send(_ events: [StreamEvent], to address: ViewAddress) {
    for follower in openViews.followers(of: address) { server?.send(events, to: follower) }
  }

  func tellAll(_ events: [StreamEvent]) {
    for stream in openViews.streams { server?.send(events, to: stream) }
  }

  private func troubleJSON(_ words: String) -> JSON {
    .object(("state", "trouble"), ("words", .string(words)))
  }

  /// Tells all pages how many changes arrived, and from which devices.
  private func sayWhoWrote(since before: EntryList) throws {
    let new = max(0, present.entries.count - before.count)
    // The logs are compared rather than the times, because events from other devices may have been written long ago.
    let logs = present.entries.logs(grownSince: before)
    let devices = try book.deviceList.devices().filter { logs.contains($0.replica) }
    let names = devices.map { $0.isThis ? "another window" : $0.listedName.visible }
    let words =
      "\(counted(new, "change", "changes")) from \(Set(names).sorted().joined(separator: ", "))"
    tellAll([StreamEvent("said", .object(("words", .string(words))))])
  }

  // MARK: Streams

  /// Begins a stream of the events of a view.
  func begin(
    _ address: ViewAddress, since name: String?, on connection: UInt64
  ) throws -> [StreamEvent] {
    var events = [
      StreamEvent(
        "hello",
        .object(("revision", .string(revisionName)), ("build", .string(assets.build))),
        id: revisionName)
    ]
    openViews.open(address, on: connection)
    guard address.moment == nil else { return events }
    let since = name.flatMap(revision(named:))
    if !openViews.isKnown(address), since == present.revision {
      remember(try view(address, on: try page(at: nil)), at: address)
    }
    guard let since, let missed = openViews.events(of: address, since: since) else {
      return events + [StreamEvent("reload", .object([]))]
    }
    openViews.follow(address, on: connection)
    events += missed
    return events
  }

  func ended(stream connection: UInt64) { openViews.close(connection) }
}
