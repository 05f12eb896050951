import Daybook
import Platform
import SimulatedPlatform
import Testing

/// Remembered folders that are not sealed.
struct OpenFolderTests {
  @Test func `Diagnosis: open folders are named, and need action once a device was revoked`() throws
  {
    let (_, books) = try TrustingTests.office("laptop", "phone", seed: 511)
    let laptop = books[0]
    func readers() throws -> Finding? {
      try laptop.healthCheck.diagnose().findings.first {
        if case .readers = $0 { true } else { false }
      }
    }
    #expect(try readers() == .readers(2, silent: []))
    try laptop.contactBook.addPeer("stick", at: Office.directory)
    let open = Finding.readers(2, silent: [], openFolders: [MountedDisk.stick(0)])
    #expect(try readers() == open)
    #expect(open.verdict == .ok)
    _ = try laptop.revoker.revoke(try laptop.deviceList.device(called: "phone"))
    let left = Finding.readers(
      1, silent: [], openFolders: [MountedDisk.stick(0)], hasRevoked: true)
    #expect(try readers() == left)
    #expect(left.verdict == .note)
  }
}
