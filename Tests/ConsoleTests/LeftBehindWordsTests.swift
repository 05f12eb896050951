import Daybook
import Phrasing
import SimulatedPlatform
import Testing

@testable import Console

/// The words of `doctor` about devices that take part only through revoked devices.
struct LeftBehindWordsTests {
  @Test func `Doctor: only a device that was revoked is said to be revoked`() {
    let finding = Finding.leftBehind(
      [
        Finding.LeftBehind(name: "tab", fingerprint: ["a", "b", "c"], author: "lap"),
        Finding.LeftBehind(
          name: "pad", fingerprint: ["d", "e", "f"], author: "tab", revoked: "lap"),
      ], canDecide: true)
    #expect(
      finding.text(at: Stage().machine.timekeeper)
        == "tab was admitted by lap, which was revoked; if you recognize the admitted device, run 'daybook device admit a-b' to keep it; "
        + "otherwise, run 'daybook device revoke a-b' to remove it. "
        + "pad was admitted by tab, which takes part only through revoked devices, such as lap; "
        + "if you recognize the admitted device, run 'daybook device admit d-e' to keep it; "
        + "otherwise, run 'daybook device revoke d-e' to remove it"
    )
  }
}
