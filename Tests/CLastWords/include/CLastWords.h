#ifndef C_LAST_WORDS_H
#define C_LAST_WORDS_H

#include <stddef.h>

/// If this thread traps from now on, these bytes (at most 400) are written to the standard error before the process
/// dies of it, as it would have without them; a count of 0 for none. Prepares the process at the first call.
void last_words_set(const void *bytes, size_t count);

/// A number that is written behind the bytes.
void last_words_set_number(long number);

#endif
