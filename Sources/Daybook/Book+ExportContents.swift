package import Bytes
package import Domain
package import Interchange

extension Book {
  /// What the book shows of some kinds, or of one list, for the writers of foreign formats.
  package func exportContents(
    of kinds: Set<Kind>, list: UniqueID? = nil
  ) throws(DaybookError) -> ExportContents {
    ExportContents(try foldAll().records, kinds: kinds, list: list)
  }
}
