import Daybook
import Phrasing

// The question whether an invited device comes in, while others are served.

extension Context {
  /// Asks the user about invited devices, where there is a user to ask.
  func doorkeeper(asking isWanted: Bool) -> Doorkeeper? {
    guard isWanted, isAnswering else { return nil }
    return Doorkeeper(
      ask: { self.ask(about: $0) },
      answer: { [surroundings] in
        switch surroundings.typed() {
        case .nothing: nil
        case .line(let line): Self.isYes(line)
        case .end: false
        }
      },
      withdraw: { [surroundings] applicant in
        surroundings.writeError("\n")
        self.note("\(applicant.name.visible) waits no longer, so no answer is needed.")
      })
  }

  private func ask(about applicant: Applicant) {
    // What was typed before was no answer to this.
    surroundings.forgetTyped()
    surroundings.writeError(
      "\(applicant.name.visible) at \(applicant.address.visible) shows the invitation, and a key whose "
        + "words are \(applicant.words.joined(separator: "-")).\n"
        + "Compare them with those on its screen. Let it in? [y/N] ")
  }
}
