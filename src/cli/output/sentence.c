/* Sentences between tables. */
#include <stdarg.h>

#include "cli/output/output.h"

void print_stream(int indent, struct tutti_text_stream *stream)
{
  char *text = tutti_xclose_text(stream);
  print_sentence(indent, "%s", text);
  free(text);
}

char *fold_message(const char *text)
{
  int width = tutti_terminal_width(stderr);
  if (width == 0)
    return tutti_xstrdup(text);
  struct tutti_text_stream folded;
  tutti_xopen_text(&folded);
  for (size_t length; *text; text += length + (text[length] == '\n')) {
    length = strcspn(text, "\n");
    char *line = tutti_xstrndup(text, length);
    tutti_print_folded_width(folded.stream, 0, *line == ' ' ? 0 : width, line);
    free(line);
  }
  char *lines = tutti_xclose_text(&folded);
  size_t end = strlen(lines);
  if (end > 0)
    lines[end - 1] = '\0';
  return lines;
}

void print_sentence(int indent, const char *format, ...)
{
  va_list arguments;
  char *text;
  va_start(arguments, format);
  if (vasprintf(&text, format, arguments) < 0)
    tutti_out_of_memory();
  va_end(arguments);
  printf("%*s", indent, "");
  tutti_print_folded(stdout, indent, text);
  free(text);
}

enum { TERMINAL_LINES = 20 }; /* of 24: the rest is the prompt and what stands around a table */

void verdict_first(size_t lines, void (*print)(const void *about), const void *about)
{
  if (lines <= TERMINAL_LINES)
    return;
  print(about);
  putchar('\n');
}

void verdict_again(size_t lines, void (*print)(const void *about), const void *about)
{
  if (lines <= TERMINAL_LINES)
    return;
  putchar('\n');
  print(about);
}

void text_append(char *text, size_t length, const char *format, ...)
{
  size_t used = strlen(text);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text + used, length - used, format, arguments);
  va_end(arguments);
}

void notes_free(struct notes *notes)
{
  for (size_t i = 0; i < notes->count; i++)
    free(notes->items[i]);
  tutti_vector_free(notes);
}

/* On standard output a sentence is folded, but for a line below it that is to be pasted. */
static void print_note(const char *note, FILE *stream)
{
  const char *paste = strstr(note, "\n ");
  const int length = paste ? (int)(paste - note) : (int)strlen(note);
  const char *end = paste ? "" : ".";
  if (stream == stdout)
    print_sentence(0, "%.*s%s", length, note, end);
  else
    fprintf(stream, "%.*s%s\n", length, note, end);
  if (paste)
    fprintf(stream, "%s\n", paste + 1);
}

void notes_add_turns(struct notes *notes, int ranks_per_node, int cores, const char *before, const char *effect,
                     const char *after)
{
  if (cores > 0 && ranks_per_node > cores)
    tutti_xpush(notes,
                tutti_xprintf("%s%d ranks took turns on the %d core%s of a node when they were recorded: %s; "
                              "record at most %d a node%s",
                              before, ranks_per_node, cores, tutti_plural((uint64_t)cores), effect, cores, after));
}

void notes_print(const struct notes *notes, FILE *stream)
{
  for (size_t i = 0; i < notes->count; i++)
    print_note(notes->items[i], stream);
}

void list_passed(tutti_json *json, const void *row, const tutti_column *column)
{
  tutti_json_passed(json, column->key, TUTTI_FIELD_OF(row, column));
}

void list_notes(tutti_json *json, const void *row, const tutti_column *column)
{
  const struct notes *notes = TUTTI_FIELD_OF(row, column);
  tutti_json_array(json, column->key);
  for (size_t i = 0; i < notes->count; i++)
    tutti_json_string(json, NULL, notes->items[i]);
  tutti_json_end(json);
}
