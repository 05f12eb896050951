// Phrasing extends the wording of errors, so modules that import it get both.
@_exported public import Wording
