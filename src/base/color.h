/* Words that give a verdict in colours, where a terminal has them: nothing of it reaches a pipe or a file, nor any
   terminal with NO_COLOR in the environment (no-color.org) or TERM=dumb. */
#ifndef TUTTI_BASE_COLOR_H
#define TUTTI_BASE_COLOR_H

#include <stddef.h>
#include <stdio.h>

/* The sequence that begins the color of a word, such as "won", "lost" or "warning"; "": it has none here. */
const char *tutti_color_of(FILE *stream, const char *word, size_t length);

/* The sequence that ends it. */
#define TUTTI_COLOR_END "\033[0m"

#endif
