/* Archives from a text that says how they are made: one step a line, so that a changed line is another archive whose
 * sums are right, not only one that is damaged.
 *
 *     entry TYPE NAME LINK SIZE BYTES   an entry of tar: its type ('0' file, '1' hard link, '2' link, '3' '4' devices,
 *                                       '5' folder, '6' pipe, 'x' 'g' 'L' 'K' 'S' what the next one or this one is
 *                                       told besides), a size that may be false ('-': that of the bytes), its bytes
 *     zeros COUNT                       that many zero bytes
 *     bytes BYTES                       these bytes
 *     end                               of a tar
 *     nest NAME                         all so far is the file NAME of a new tar
 *     pack gzip|xz|bzip2|zstd|...|zip   all so far is compressed
 *     twice                             all so far again
 *     flip AT, cut AT                   a byte is another one; the rest is away
 *
 * "%0a" in a name, a link or bytes is the byte of that number. Other lines do nothing. */
#ifndef TUTTI_FUZZ_PACK_H
#define TUTTI_FUZZ_PACK_H

#include <stddef.h>

/* Returns the archive, owned by the caller; at most @p most bytes after each step. */
char *fuzz_pack(const char *text, size_t most, size_t *length);

#endif
