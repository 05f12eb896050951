package import Crypto

/// The keys of a book, and which keys each of them admitted, according to the `admit` events that take effect.
package struct AdmissionGraph {
  private let roots: Set<PublicKey>
  private var admitted: [PublicKey: [PublicKey]] = [:]

  /// Makes a graph of the admissions that take effect.
  ///
  /// - Parameter trust: The trust of a book.
  package init(_ trust: Trust) {
    roots = Set([trust.founder.flatMap { trust.keys[$0] }].compactMap(\.self))
    for admission in trust.admissions {
      guard let author = trust.keys[admission.log] else { continue }
      admitted[author, default: []].append(admission.key)
    }
  }

  /// The keys that have admitted others.
  package var authors: Set<PublicKey> { Set(admitted.keys) }

  /// Finds the keys that can be reached from the founder's key and additional roots without admissions by barred keys.
  ///
  /// The time is proportional to the number of admissions.
  package func reach(from more: Set<PublicKey>, without barred: Set<PublicKey>) -> Set<PublicKey> {
    var reached = roots.union(more)
    var waiting = Array(reached)
    while let key = waiting.popLast() {
      if barred.contains(key) { continue }
      for next in admitted[key] ?? [] where reached.insert(next).inserted { waiting.append(next) }
    }
    return reached
  }
}
