package import Domain
package import Interchange

extension Book {
  /// What the book shows of some kinds, for the writers of foreign formats.
  package func exportContents(of kinds: Set<Kind>) throws(DaybookError) -> ExportContents {
    ExportContents(try foldAll().records, kinds: kinds)
  }
}
