import Crypto
import Journaling
public import Platform
import Syncing

extension Book {
  /// Makes an invitation with which one other device can join this book within ten minutes.
  ///
  /// The other device joins with ``join(by:in:on:device:comparing:)``, or with `daybook join`.
  ///
  /// - Returns: The invitation, with an address at which a process of this machine serves the book.
  /// - Throws: ``Failure`` if no process serves the book, or this device is not admitted to it.
  public func invite() throws(Failure) -> BookInvitation {
    try failingAfterWriting { () throws(DaybookError) in BookInvitation(try invitations.invite()) }
  }

  /// Makes an invitation with an address at which the book will be served.
  ///
  /// - Parameters:
  ///   - host: The name or address of this machine, as other machines reach it.
  ///   - port: The TCP port.
  /// - Returns: The invitation.
  /// - Throws: ``Failure`` if this device is not admitted to the book, or the host cannot be used in an invitation.
  public func invite(host: String, port: UInt16) throws(Failure) -> BookInvitation {
    try failingAfterWriting { () throws(DaybookError) in
      guard let address = Endpoint(Endpoint(host: host, port: port).text) else {
        throw .badInvitation(.address)
      }
      return BookInvitation(try invitations.invite(at: .tcp(address)))
    }
  }

  /// Joins the book of the device that made an invitation, in a folder without a book.
  ///
  /// Both devices are connected over the network while this function runs. An interrupted join can be repeated with the
  /// same invitation.
  ///
  /// - Parameters:
  ///   - invitation: The text of the invitation, as in ``BookInvitation/code`` or in the output of `daybook invite`.
  ///   - folder: The folder for the book on this machine.
  ///   - machine: The computer.
  ///   - device: The name of this device. If another device already has this name, a number is added.
  ///   - comparing: Called with the words of this device's key if the other machine asks its user whether to admit this
  ///     device. The words must be the same on both machines.
  /// - Returns: The book, with everything that the other device has. This device's events take effect there.
  /// - Throws: ``Failure`` if the text is not a valid invitation, the machine cannot be reached, or the folder contains
  ///   a book.
  public static func join(
    by invitation: String, in folder: String, on machine: Machine, device: String,
    comparing: ([String]) -> Void = { _ in }
  ) throws(Failure) -> Book {
    try failing { () throws(DaybookError) in
      let parsed = try wrap(DaybookError.badInvitation) { () throws(InvitationFault) in
        try Invitation(parsing: invitation)
      }
      do throws(DaybookError) {
        return try BookFactory.join(
          at: Path(folder), by: parsed, on: machine, deviceName: device,
          asked: { comparing($0.fingerprint) }, confirm: { _ in false }
        ).book
      } catch .declined {
        throw .bookExists(Path(folder))
      } catch {
        throw error.duringJoin(by: parsed)
      }
    }
  }

  /// A server of this book, which ``BookServer/run(telling:)`` starts.
  ///
  /// - Parameters:
  ///   - host: The address on which this machine listens: `0.0.0.0` for all addresses, `127.0.0.1` to accept only other
  ///     processes on this machine.
  ///   - port: The TCP port; 0 for any free port.
  /// - Returns: The server, which does not listen until it runs.
  public func server(host: String = "127.0.0.1", port: UInt16 = 7771) -> BookServer {
    BookServer(
      folder: layout.folder, machine: machine, view: core.projector.place,
      endpoint: Endpoint(host: host, port: port))
  }
}
