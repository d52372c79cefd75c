/* UTF-8 (RFC 3629): checking, stepping and measuring. */
#ifndef TUTTI_BASE_UTF8_H
#define TUTTI_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Decode the character at `text`, which ends with a zero, into *code. Returns its length in bytes, 1 to 4; 0 at the end
   of the text; -1 if the bytes are not UTF-8 (overlong forms, surrogates and codes above U+10FFFF included). */
int tutti_utf8_decode(const char *text, uint32_t *code);

/* Whether all of `text` is UTF-8. */
bool tutti_utf8_is_valid(const char *text);

/* Whether XML can hold the character, however it is escaped: control characters and two others it cannot. */
static inline bool utf8_is_of_xml(uint32_t code)
{
  return code >= ' ' ? (code & ~UINT32_C(1)) != 0xfffe : code == '\t' || code == '\n' || code == '\r';
}

/* Whether all of `text` is UTF-8 that XML can hold. */
bool tutti_utf8_is_xml(const char *text);

/* Whether a line may show the character: not if a terminal obeys it (C0, DEL, C1), if it changes the order of others
   (bidirectional marks), ends lines, or is not a character. */
bool tutti_utf8_is_shown(uint32_t code);

/* Whether all of `text` is UTF-8 that a line may show. */
bool tutti_utf8_is_line(const char *text);

/* Whether a command of GitHub Actions begins here that is obeyed anywhere in a line: `##[`. */
bool tutti_utf8_begins_command(const char *text);

/* Write the character at `text`, and return its length in bytes; '?' replaces one that is not shown, a byte that is not
   UTF-8, and the first of `##[`, which is a command of GitHub Actions. 0 at the end. */
size_t tutti_utf8_put(FILE *stream, const char *text);

/* The same for a whole text that is changed in place, where ends of lines and tabulators stay. The other commands of
   GitHub Actions, `::` at the beginning of a line except the first, become `?:`. */
void tutti_utf8_clean(char *text);

/* The same of what is a piece of a line: of ends of lines and tabulators nothing stays, either. */
void tutti_utf8_clean_piece(char *text);

/* Columns that `text` takes on a terminal: none for combining marks, two for East Asian wide characters and emoji, else
   one; a byte that is not UTF-8 takes one. */
int tutti_utf8_width(const char *text);

/* Bytes of the longest beginning of `text` that takes at most `columns` columns. */
size_t tutti_utf8_prefix(const char *text, int columns);

#endif
