import Bytes
import Crypto
import Daybook
import Platform
import PosixPlatform
import ReadModel
import SimulatedPlatform
import Syncing
import Testing

/// Devices that are refused although they have an invitation.
struct TurnedAwayTests {
  @Test func `Invitation: it admits one device once`() async throws {
    let office = Office(seed: 903, timekeeper: SystemTimekeeper())
    _ = try office.found("one")
    let failures = try await Meet.serving(office, "one") { inviter, server in
      let invitation = try inviter.invitations.invite().invitation
      _ = try Meet.join(try office.place("two"), invitation)
      try await server.hasMet()
      func attempt(_ name: String, _ invitation: Invitation) -> Meet.Turned? {
        Meet.turned { () throws(DaybookError) in
          _ = try Meet.join(office.somebody(name), invitation)
        }
      }
      #expect(attempt("two", invitation) == .inWords(.usedInvitation))
      #expect(attempt("three", invitation) == .atTheDoor)
      let other = try inviter.invitations.invite().invitation
      #expect(attempt("three", invitation) == .inWords(.usedInvitation))
      #expect(try inviter.deviceList.devices().count == 2)
      // The refused device can still join with another invitation.
      #expect(attempt("three", other) == nil)
      #expect(try inviter.deviceList.devices().map(\.standing) == [.founder, .admitted, .admitted])
    }
    #expect(failures.filter { $0.contains("usedInvitation") }.count == 2)
    #expect(failures.filter { $0.contains("unknownKey") }.count == 1)
  }

  @Test func `Invitation: its secret is kept until used or expired, and its outcome for a day`()
    async throws
  {
    let office = Office(seed: 908)
    _ = try office.found("one")
    let place = try office.place("one")
    func kept() throws -> String {
      let file = Office.folder / "invitations"
      return String(
        decoding: try place.machine.disk.contents(of: file, limit: 1 << 20), as: UTF8.self)
    }
    _ = try await Meet.serving(office, "one") { inviter, server in
      let (used, left) = (
        try inviter.invitations.invite().invitation, try inviter.invitations.invite()
      )
      #expect(try kept().contains(Hex.encode(used.secret)))
      _ = try Meet.join(try office.place("two"), used)
      try await server.hasMet()
      #expect(try !kept().contains(Hex.encode(used.secret)))
      #expect(try kept().contains(Hex.encode(left.invitation.secret)))
      func attempt(_ invitation: Invitation) -> Meet.Turned? {
        Meet.turned { () throws(DaybookError) in
          _ = try Meet.join(office.somebody("three"), invitation)
        }
      }
      #expect(attempt(used) == .inWords(.usedInvitation))
      for _ in 1...3 { #expect(attempt(used) == .inWords(.usedInvitation)) }
      let clock = place.simulated.timekeeper
      clock.advance(milliseconds: left.end - clock.now().milliseconds + 1)
      _ = try inviter.invitations.invite()
      #expect(try !kept().contains(Hex.encode(left.invitation.secret)))
      #expect(attempt(left.invitation) == .inWords(.expiredInvitation))
      // A day later, the invitations are forgotten.
      clock.advance(milliseconds: 86_400_000 + 600_000)
      _ = try inviter.invitations.invite()
      #expect(try !kept().contains(Invitation.name(of: used.secret).hex))
      #expect(attempt(used) == .inWords(.wrongProof))
    }
  }

  @Test func `Invitation: it expires at its end, even when the clock is set back`() async throws {
    let office = Office(seed: 904)
    _ = try office.found("one")
    _ = try await Meet.serving(office, "one") { inviter, _ in
      let clock = try office.place("one").simulated.timekeeper
      let invited = try inviter.invitations.invite()
      clock.advance(milliseconds: invited.end - clock.now().milliseconds)
      clock.advance(milliseconds: 1)
      func late() -> Meet.Turned? {
        Meet.turned { () throws(DaybookError) in
          _ = try Meet.join(office.somebody("two"), invited.invitation)
        }
      }
      #expect(late() == .atTheDoor)
      #expect(try !inviter.invitations.expectsGuests())
      _ = try inviter.invitations.invite()
      #expect(try inviter.invitations.expectsGuests())
      #expect(late() == .inWords(.expiredInvitation))
      // Setting the clock back to a time before the invitations were made does not extend them.
      clock.set(Moment(milliseconds: clock.now().milliseconds - 660_000))
      #expect(try !inviter.invitations.expectsGuests())
    }
  }

  @Test func `Invitation: any number of wrong proofs leaves it open`() async throws {
    let office = Office(seed: 905, timekeeper: SystemTimekeeper())
    _ = try office.found("one")
    _ = try await Meet.serving(office, "one") { inviter, _ in
      let right = try inviter.invitations.invite().invitation
      var wrong = right
      wrong.secret[7] ^= 1
      for _ in 1...5 {
        let code = Meet.turned { () throws(DaybookError) in
          _ = try Meet.join(office.somebody("two"), wrong)
        }
        #expect(code == .inWords(.wrongProof))
      }
      // The right proof is still accepted.
      _ = try Meet.join(try office.place("two"), right)
      #expect(try inviter.deviceList.devices().map(\.standing) == [.founder, .admitted])
    }
  }

  @Test func `Invitation: a revoked device is refused despite a new invitation`() async throws {
    let office = Office(seed: 908, timekeeper: SystemTimekeeper())
    _ = try office.found("one")
    _ = try await Meet.serving(office, "one") { inviter, _ in
      _ = try Meet.join(try office.place("two"), try inviter.invitations.invite().invitation)
      _ = try inviter.revoker.revoke(try inviter.deviceList.device(called: "two"))
      let invitation = try inviter.invitations.invite().invitation
      let code = Meet.turned { () throws(DaybookError) in
        _ = try Meet.join(office.somebody("two"), invitation)
      }
      #expect(code == .atTheDoor)
      #expect(try inviter.deviceList.devices().map(\.standing) == [.founder, .revoked])
    }
  }

  @Test func `Invitation: one with another machine's address fails on its key`() async throws {
    let office = Office(seed: 911, timekeeper: SystemTimekeeper())
    let one = try office.found("one")
    _ = try office.found("other")
    let failures = try await Meet.serving(office, "other") { other, _ in
      let served = try other.service.served().map(MachineAddress.tcp)
      let invitation = try one.invitations.invite(at: served).invitation
      let wrong = #expect(throws: DaybookError.self) {
        try Meet.join(try office.place("two"), invitation)
      }
      guard case .sync(.tls(.unknownKey)) = wrong else {
        Issue.record("\(String(describing: wrong))")
        return
      }
    }
    #expect(failures.count == 1)
  }

  @Test func `Invitation: an unknown device without one is refused as not invited`() async throws {
    let office = Office(seed: 912, timekeeper: SystemTimekeeper())
    _ = try office.found("one")
    _ = try await Meet.serving(office, "one") { inviter, _ in
      let peer = PeerAddress(try inviter.invitations.invite().invitation.address)
      let (place, key) = (try office.place("two"), try inviter.core.localDevice.shownKey)
      let code = Meet.turned { () throws(DaybookError) in
        _ = try BookFactory.join(
          at: Office.folder, from: peer, on: place.machine, deviceName: "two", pin: .key(key),
          view: .memory, confirm: { _ in true })
      }
      #expect(code == .inWords(.notInvited))
    }
  }
}
