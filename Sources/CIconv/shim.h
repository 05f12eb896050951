#include <errno.h>
#include <iconv.h>
#include <stddef.h>

/// Begins a conversion from a character set to UTF-8; returns NULL if the character set is not known. See
/// iconv_open(3).
static inline iconv_t iconv_open_to_utf8(const char *name) {
  iconv_t conversion = iconv_open("UTF-8", name);
  return conversion == (iconv_t)-1 ? NULL : conversion;
}

/// Converts as much as fits into the output, and returns 0 or the number of the error that ended it; see iconv(3).
static inline int iconv_some(iconv_t conversion, char **input, size_t *inputLeft, char **output,
                             size_t *outputLeft) {
  return iconv(conversion, input, inputLeft, output, outputLeft) == (size_t)-1 ? errno : 0;
}

/// The error if the output is too small.
static const int ICONV_NO_ROOM = E2BIG;
