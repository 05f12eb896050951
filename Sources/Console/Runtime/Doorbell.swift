import Daybook
import Phrasing

/// Asks the user whether to admit an invited device.
struct Doorbell {
  let output: Output

  /// Returns a doorkeeper that asks the user; nil if the user cannot be asked.
  func doorkeeper(asking isWanted: Bool) -> Doorkeeper? {
    guard isWanted, output.isAnswering else { return nil }
    return Doorkeeper(
      ask: { ask(about: $0) },
      answer: { [output] in
        switch output.streams.typed() {
        case .nothing: nil
        case .line(let line): Output.isYes(line)
        case .end: false
        }
      },
      withdraw: { [output] pendingDevice in
        output.streams.writeError("\n")
        output.note("\(pendingDevice.name.visible) is no longer waiting, so no answer is needed.")
      })
  }

  private func ask(about pendingDevice: PendingDevice) {
    // Discard earlier input, which was not meant as an answer to this question.
    output.streams.forgetTyped()
    output.streams.writeError(
      "\(pendingDevice.name.visible) at \(pendingDevice.address.visible) presented the invitation, "
        + "and a key whose words are \(pendingDevice.words.joined(separator: "-")).\n"
        + "Compare the words with those on its screen. Admit it? [y/N] ")
  }
}
