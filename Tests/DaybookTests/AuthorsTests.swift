import Crypto
import Daybook
import Foundation
import Journaling
import Platform
import PosixPlatform
import ReadModel
import SimulatedPlatform
import Testing
import Verifying

/// The real edit history, with one machine for each author.
@Suite(.enabled(if: Congress.isHere, "the data beside the repository is missing"))
struct AuthorsTests {
  /// The runs on records that one-line runs change; with `DAYBOOK_THOROUGH`, all runs,
  /// which takes minutes in unoptimised code.
  private static func runs() throws -> [Congress.Run] {
    let changes = try Congress.changes()
    if ProcessInfo.processInfo.environment["DAYBOOK_THOROUGH"] != nil {
      return Congress.runs(of: changes)
    }
    let short = Congress.runs(of: changes).filter { $0.changes.count == 1 }
    let ids = Set(short.flatMap(\.changes).map(\.id))
    return Congress.runs(of: changes.filter { ids.contains($0.id) })
  }

  /// Expects that all books are equal and match the data.
  private func expectAgreement(_ office: Office, after runs: [Congress.Run]) throws {
    // Open the books again, because another process may have served the founder's.
    let books = try office.places.map { try $0.open() }
    #expect(books.count == Set(runs.map(\.author)).count)
    let changes = runs.flatMap(\.changes)
    let ending = Congress.fold(changes)
    for book in books { #expect(try book.view().people() == ending) }
    let digests = Set(try books.map { try $0.statusReader.digest() })
    #expect(digests.count == 1)
    #expect(
      try books.allSatisfy {
        try $0.statusReader.status().isAdmitted && $0.verifier.verify().isClean
      })
    let moment = changes[changes.count / 2].time
    let then = try books.last?.view(at: moment).people() ?? [:]
    let expected = Congress.fold(changes.filter { $0.time <= moment })
    let ids = Set(then.keys).union(expected.keys).filter { then[$0] != expected[$0] }
    // Compare only ids, because a message with whole books would be unreadable.
    #expect(ids.sorted() == [], "at \(moment)")
  }

  @Test func `Edit history: authors who sync by directory end with equal books`() throws {
    let office = Office(seed: 201)
    let runs = try Self.runs()
    let founder = try office.found(runs[0].author)
    _ = try founder.replicator.sync(with: Office.directory)
    for run in runs {
      let book = try office.join(run.author)
      _ = try founder.replicator.sync(with: Office.directory, admission: .always)
      _ = try book.replicator.sync(with: Office.directory)
      #expect(try book.importer.importOperations(run.source).skipped.isEmpty)
      _ = try book.replicator.sync(with: Office.directory)
    }
    for book in [founder] + office.books {
      _ = try book.replicator.sync(with: Office.directory, admission: .always)
    }
    try expectAgreement(office, after: runs)
  }

  @Test func `Edit history: authors who exchange bundles end with equal books`() throws {
    let office = Office(seed: 202)
    let runs = try Self.runs()
    let founder = try office.found(runs[0].author)
    let bundle = MountedDisk.stick(0) / "bundle"
    try office.stick.makeDirectories(MountedDisk.stick(0))
    _ = try founder.replicator.writeBundle(to: bundle)
    for run in runs {
      let book = try office.join(run.author, from: .file(bundle))
      _ = try book.replicator.sync(with: .file(bundle))
      #expect(try book.importer.importOperations(run.source).skipped.isEmpty)
      _ = try book.replicator.writeBundle(to: bundle)
      if book !== founder {
        _ = try founder.replicator.sync(with: .file(bundle), admission: .always)
        _ = try founder.replicator.writeBundle(to: bundle)
      }
    }
    for book in office.books where book !== founder {
      _ = try book.replicator.sync(with: .file(bundle))
    }
    try expectAgreement(office, after: runs)
  }

  @Test(.timeLimit(.minutes(10)))
  func `Edit history: authors who call the founder end with equal books`() async throws {
    let office = Office(seed: 203, timekeeper: SystemTimekeeper())
    let runs = try Self.runs()
    let founder = try office.place(runs[0].author)
    let book = try office.found(runs[0].author)
    founder.book = book
    let key = try book.core.localDevice.identity.publicKey
    let server = Server(try office.place(runs[0].author).machine)
    let port = try await server.start()
    do {
      try play(runs, in: office, with: .tcp(host: "127.0.0.1", port: port), pin: .key(key))
    } catch {
      await server.stop()
      throw error
    }
    let complaints = await server.stop()
    #expect(complaints == [])
    try expectAgreement(office, after: runs)
  }

  private func play(
    _ runs: [Congress.Run], in office: Office, with founder: PeerAddress, pin: Pin
  ) throws {
    for run in runs {
      let book = try office.join(run.author, from: founder, pin: pin)
      let isFounder = book === office.books.first
      if !isFounder { _ = try book.replicator.sync(with: founder) }
      #expect(try book.importer.importOperations(run.source).skipped.isEmpty)
      if !isFounder { _ = try book.replicator.sync(with: founder) }
    }
    for book in office.books.dropFirst() { _ = try book.replicator.sync(with: founder) }
  }
}
