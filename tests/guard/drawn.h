/* Random parts of files that try to reach beyond themselves. */
#ifndef TUTTI_GUARD_DRAWN_H
#define TUTTI_GUARD_DRAWN_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/splitmix64.h"

static uint64_t drawn;

static inline size_t draw(size_t below)
{
  return (size_t)(tutti_splitmix64_next(&drawn) % below);
}

#define PICK(list) ((list)[draw(sizeof(list) / sizeof *(list))])

/* @V in a word is a file that must not be written, @S one that must not be read. */
struct aims {
  const char *victim, *secret;
};

enum { MAX_VALUE = 512 };

/* A value with the paths in place of @V and @S. */
static inline void expand(const struct aims *aims, const char *from, char to[MAX_VALUE])
{
  size_t length = 0;
  for (; *from && length + 1 < MAX_VALUE; from++) {
    const char *path = from[0] == '@' ? from[1] == 'V' ? aims->victim : from[1] == 'S' ? aims->secret : NULL : NULL;
    if (path)
      length += (size_t)snprintf(to + length, MAX_VALUE - length, "%s", path);
    else
      to[length++] = *from;
    length = length < MAX_VALUE ? length : MAX_VALUE - 1;
    from += path != NULL;
  }
  to[length] = '\0';
}

#endif
