#include "base/memory.h"

#include <stdio.h>
#include <string.h>

#include "base/numbers.h"

enum { EXIT_BAD_INPUT = 2 }; /* as the command's other failures */

_Noreturn void tutti_out_of_memory(void)
{
  fputs("tutti: out of memory\n", stderr);
  exit(EXIT_BAD_INPUT);
}

static void *checked(void *piece)
{
  if (!piece)
    tutti_out_of_memory();
  return piece;
}

void *tutti_xmalloc(size_t bytes)
{
  return checked(malloc(bytes > 0 ? bytes : 1));
}

void *tutti_xcalloc(size_t count, size_t size)
{
  return checked(count > 0 && size > 0 ? calloc(count, size) : calloc(1, 1));
}

void *tutti_xrealloc(void *piece, size_t bytes)
{
  return checked(realloc(piece, bytes > 0 ? bytes : 1));
}

void *tutti_xmemdup(const void *piece, size_t bytes)
{
  return memcpy(tutti_xmalloc(bytes), piece, bytes);
}

void *tutti_xroom(void *items, size_t count, size_t size)
{
  if (count > 0 && !tutti_is_power_of_two(count))
    return items;
  return tutti_xrealloc(items, (count ? 2 * count : 1) * size);
}

char *tutti_xstrdup(const char *text)
{
  return checked(strdup(text));
}

char *tutti_xstrndup(const char *text, size_t length)
{
  return checked(strndup(text, length));
}

void tutti_xappend(char **text, size_t *length, const char *more)
{
  const size_t bytes = strlen(more) + 1;
  *text = tutti_xrealloc(*text, *length + bytes);
  memcpy(*text + *length, more, bytes);
  *length += bytes - 1;
}

char *tutti_xvprintf(const char *format, va_list arguments)
{
  char *text;
  return checked(vasprintf(&text, format, arguments) < 0 ? NULL : text);
}

char *tutti_xprintf(const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  char *text = tutti_xvprintf(format, arguments);
  va_end(arguments);
  return text;
}

void tutti_xopen_text(struct tutti_text_stream *text)
{
  text->stream = checked(open_memstream(&text->text, &text->length));
}

char *tutti_xclose_text(struct tutti_text_stream *text)
{
  if (fclose(text->stream) != 0)
    tutti_out_of_memory();
  return text->text;
}

char *tutti_xshell_word(const char *word)
{
  static const char safe[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:,=+@%";
  return *word && strspn(word, safe) == strlen(word) ? tutti_xstrdup(word) : tutti_xshell_quoted(word);
}

char *tutti_xshell_quoted(const char *word)
{
  struct tutti_text_stream quoted;
  tutti_xopen_text(&quoted);
  fputc('\'', quoted.stream);
  for (; *word; word++)
    if (*word == '\'')
      fputs("'\\''", quoted.stream);
    else
      fputc(*word, quoted.stream);
  fputc('\'', quoted.stream);
  return tutti_xclose_text(&quoted);
}
