/* A text under mutation: bytes, not necessarily printable, followed by a zero byte. */
#ifndef TUTTI_FUZZ_TEXT_H
#define TUTTI_FUZZ_TEXT_H

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Longer texts are cut. */
#define FUZZ_MAX_BYTES (64 << 10)

typedef struct fuzz_text {
  char *bytes;
  size_t length;
} fuzz_text;

/* An empty one, with space for FUZZ_MAX_BYTES; aborts without memory, as all of these do. */
fuzz_text fuzz_text_create(void);
void fuzz_text_free(fuzz_text *text);

void fuzz_text_set(fuzz_text *text, const char *bytes, size_t length);

/* Replace the bytes from @p from to @p to by @p length bytes from any place, this text included. */
void fuzz_text_replace(fuzz_text *text, size_t from, size_t to, const char *bytes, size_t length);

/* The whole of a file; false if it cannot be read. */
bool fuzz_text_read(fuzz_text *text, const char *path);
bool fuzz_text_write(const fuzz_text *text, const char *path);

#endif
