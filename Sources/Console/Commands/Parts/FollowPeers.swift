import Daybook
import Phrasing
import Platform
import Syncing

/// Stays connected to machines until it is stopped.
struct FollowPeers {
  let context: CommandContext
  private var output: Output { context.output }

  /// Follows one machine, or all remembered machines, until it is stopped.
  func run(_ words: String?, admitting: Bool) throws {
    let book = try context.book()
    let contacts = try followed(words)
    let names = contacts.map(\.name.visible).joined(separator: ", ")
    output.say("Following \(names). Stop with Ctrl-C.")
    LossPresenter(context: context).noteLoss()
    OwnEventNotices(output: output).tellStranded(try book.ownEvents.countOfStranded())
    try LiveService(of: book).follow(
      contacts, admission: admitting ? .newcomers : .never,
      tell: { LivePresenter(context: context).tell($0) },
      until: context.environment.process.shouldStop)
    output.say("Stopped.")
  }

  /// Returns the named machine, or all remembered machines if none is named.
  private func followed(_ words: String?) throws -> [Contact] {
    if let words {
      let address = try PeerReader(context: context).knownPeer(words)
      guard address.machine != nil else {
        throw ConsoleError.badValue(
          "what to follow", words, "Use the name of a machine, tcp://HOST:PORT or ssh://HOST.")
      }
      return [Contact(name: words, address: address)]
    }
    let contacts = try context.book().contactBook.contacts()
    if contacts.isEmpty { throw ConsoleError.noPeers }
    let machines = contacts.filter { $0.address?.machine != nil }
    if machines.isEmpty {
      let hasPlaces = contacts.contains { $0.address != nil }
      throw hasPlaces ? ConsoleError.noMachines : ConsoleError.noAddresses
    }
    return machines
  }
}
