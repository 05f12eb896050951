package import Bytes
internal import Crypto
package import Domain
package import Interchange

extension Book {
  /// What the book shows of some kinds, or of one list, for the writers of foreign formats.
  package func exportContents(
    of kinds: Set<Kind>, list: UniqueID? = nil
  ) throws(DaybookError) -> ExportContents {
    ExportContents(try foldAll().records, kinds: kinds, list: list, book: fileTag)
  }

  /// The name of this book in exported files: eight hexadecimal digits that do not reveal its id.
  var fileTag: String {
    String(SHA256.digest(of: Array("daybook file \(id.uuid)".utf8)).hex.prefix(8))
  }
}
