/* Memory of the tutti command, and of reading a decision. Where it runs out the program ends with a sentence and status
   2, as there is nothing that a command could still do; what was stored before is kept. Not for what a user's program
   runs while it communicates: schedules, algorithms, groups, measuring, the interposer, a decision that is asked. All
   results are owned by the caller (free()). */
#ifndef TUTTI_BASE_MEMORY_H
#define TUTTI_BASE_MEMORY_H

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include "base/vector.h"

void *tutti_xmalloc(size_t bytes);
void *tutti_xcalloc(size_t count, size_t size);
void *tutti_xrealloc(void *piece, size_t bytes);
void *tutti_xmemdup(const void *piece, size_t bytes);

/* Room for one more item after @p count of @p size bytes, in an array that is made larger by this alone: it doubles at
   each power of two, so that items come one by one in linear time. */
void *tutti_xroom(void *items, size_t count, size_t size);
char *tutti_xstrdup(const char *text);
char *tutti_xstrndup(const char *text, size_t length);
/* Append to a text of that length, NULL in the beginning. */
void tutti_xappend(char **text, size_t *length, const char *more);
char *tutti_xprintf(const char *format, ...) __attribute__((format(printf, 1, 2)));
char *tutti_xvprintf(const char *format, va_list arguments) __attribute__((format(printf, 1, 0)));

/* A text that is written as a stream: open it, write to `stream`, and close it, which returns the text. */
struct tutti_text_stream {
  FILE *stream;
  char *text;
  size_t length;
};
void tutti_xopen_text(struct tutti_text_stream *text);
char *tutti_xclose_text(struct tutti_text_stream *text);

/* A word for a shell: in quotes if it would read anything into it. */
char *tutti_xshell_word(const char *word);

/* The same, always in quotes. */
char *tutti_xshell_quoted(const char *word);

/* End the program for want of memory. */
_Noreturn void tutti_out_of_memory(void);

/* Append one item to a vector (vector.h). */
#define tutti_xpush(vector, ...)                                                                                       \
  ((void)(tutti_vector_reserve((vector), 1) || (tutti_out_of_memory(), 0)),                                            \
   (void)((vector)->items[(vector)->count++] = (__VA_ARGS__)))

#endif
