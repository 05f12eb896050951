import Daybook
import SimulatedPlatform
import Testing

@testable import Console

/// The words of `doctor` about devices that claim to have events that this device has not written.
struct ClaimWordsTests {
  @Test func `Doctor: a false claim names the device, and how to judge and revoke it`() {
    let finding = Finding.claims(["friend"])
    #expect(finding.verdict == .problem)
    #expect(
      finding.text(at: Stage().machine.timekeeper)
        == "friend claims that this device's log contains events that this device has not written; "
        + "unless an old copy has replaced the files of this device, it cannot be trusted, "
        + "so see what it wrote with 'daybook log --by NAME', "
        + "or revoke it with 'daybook device revoke NAME'")
  }
}
