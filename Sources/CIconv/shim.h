#include <errno.h>
#include <iconv.h>
#include <stddef.h>

/// Begins to convert from a character set to UTF-8; a null pointer where it is not known. See iconv_open(3).
static inline iconv_t iconv_open_to_utf8(const char *name) {
  iconv_t conversion = iconv_open("UTF-8", name);
  return conversion == (iconv_t)-1 ? NULL : conversion;
}

/// Converts as much as there is room for, and tells by the number of an error why not all; see iconv(3).
static inline int iconv_some(iconv_t conversion, char **input, size_t *inputLeft, char **output,
                             size_t *outputLeft) {
  return iconv(conversion, input, inputLeft, output, outputLeft) == (size_t)-1 ? errno : 0;
}

/// There was no room for all.
static const int ICONV_NO_ROOM = E2BIG;
