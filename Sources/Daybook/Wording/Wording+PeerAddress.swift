import Domain
import Platform
import Wording

extension PeerAddress {
  /// The report that the folder of a remembered peer no longer contains anything.
  func emptied(called name: String, since time: Int64) -> Told {
    let folder = path?.string ?? ""
    let option = if case .store = self { " --sealed" } else { "" }
    return Told(
      "emptied-peer", .refused,
      "\(folder.visible) contains no book, although this book was synced with it on \(Instant.dayText(time)). "
        + "Is its disk mounted?\n"
        + "If it was emptied on purpose, run 'daybook peer forget \(name.quoted.visible)', "
        + "then 'daybook peer add \(name.quoted.visible) \(folder.quoted.visible)\(option)'.")
  }
}
