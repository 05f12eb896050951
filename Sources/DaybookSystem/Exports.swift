// One import for programs that keep a book on the machine that they run on: the library, and `Machine.system`.
@_exported public import Daybook
@_exported public import Platform
@_exported public import PosixPlatform
