/* Traces of several files: those of ranks, a folder, a list. */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/text.h"
#include "decision/results/trace_format.h"
#include "harness/engine/trace/workload_read.h"

enum { MAX_FILES = 1 << 22 };

void tutti_files_free(struct workload_files *files)
{
  for (size_t f = 0; f < files->count; f++)
    free(files->items[f]);
  tutti_vector_free(files);
}

/* ---- what a file is ---- */

/* Skip blank lines and comments. */
static const char *first_word(const char *text)
{
  for (;;) {
    text += strspn(text, " \t\r\n");
    if (strncmp(text, "/*", 2) == 0) {
      const char *end = strstr(text + 2, "*/");
      text = end ? end + 2 : text + strlen(text);
    } else if (*text == '#' || strncmp(text, "//", 2) == 0)
      text += strcspn(text, "\n");
    else
      return text;
  }
}

static bool is_letter(char byte)
{
  return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
}

/* "0 init", "12 compute 5e8": a number, blanks and a word. */
static bool is_action(const char *word)
{
  const size_t digits = strspn(word, "0123456789"), blanks = strspn(word + digits, " \t");
  return digits > 0 && blanks > 0 && is_letter(word[digits + blanks]);
}

/* A line without blanks that looks like the name of a file. */
static bool is_name(const char *word)
{
  const size_t length = strcspn(word, "\r\n");
  return length > 2 && length < 4096 && strcspn(word, " \t:{}()<>\"'") >= length && memchr(word, '.', length) &&
         is_letter(word[length - 1]);
}

/* After a head of KEY=VALUE there may be. */
static bool is_dumpi(const char *text)
{
  const char *first = strncmp(text, "MPI_", 4) == 0 ? text : NULL;
  if (!first && strncmp(text, "version=", 8) == 0)
    first = strstr(text, "\nMPI_");
  const char *words = first ? strstr(first, " entering at walltime ") : NULL;
  return words && words - first < 64;
}

enum workload_format tutti_workload_format(const char *text, size_t length)
{
  static const unsigned char bytes[8] = {0x7f, 0x10};
  const char *word = first_word(text);
  if (length >= sizeof bytes && memcmp(text, bytes, sizeof bytes) == 0)
    return WORKLOAD_BINARY_GOAL;
  if (strncmp(text, TRACE_MAGIC " ", sizeof TRACE_MAGIC) == 0)
    return WORKLOAD_TRACE;
  if (strncmp(word, "num_ranks", 9) == 0)
    return WORKLOAD_GOAL;
  if (is_dumpi(text))
    return WORKLOAD_DUMPI;
  if (strncmp(word, "MPI_", 4) == 0)
    return WORKLOAD_LINES;
  if (is_action(word) || is_name(word))
    return is_action(word) ? WORKLOAD_TI : WORKLOAD_LIST;
  if (tutti_workload_is_chakra_json(word, length - (size_t)(word - text)))
    return WORKLOAD_CHAKRA_JSON;
  return tutti_workload_is_chakra(text, length) ? WORKLOAD_CHAKRA : WORKLOAD_NONE;
}

static enum workload_format format_of(const char *path)
{
  tutti_error ignored;
  char *text = tutti_xmalloc(WORKLOAD_BEGINNING + 1);
  FILE *stream = tutti_input_open(path, TUTTI_INPUT_RECORDS, &ignored);
  const size_t length = stream ? fread(text, 1, WORKLOAD_BEGINNING, stream) : 0;
  text[length] = '\0';
  const enum workload_format format = tutti_workload_format(text, length);
  if (stream)
    fclose(stream);
  free(text);
  return format;
}

/* ---- beside one of them ---- */

/* The last number in the name of a file but that in "-of-8"; NULL: there is none. */
static const char *last_number(const char *path, int *digits)
{
  const char *name = strrchr(path, '/');
  const char *place = NULL;
  for (const char *next = name ? name + 1 : path; *next; next++) {
    const size_t length = strspn(next, "0123456789");
    if (length == 0)
      continue;
    if (!place || next - place < 5 || strncmp(next - 4, "-of-", 4) != 0) {
      place = next;
      *digits = (int)length;
    }
    next += length - 1;
  }
  return place;
}

void tutti_files_beside(const char *path, struct workload_files *files)
{
  int digits = 0;
  const char *place = last_number(path, &digits);
  if (!place || (int)strspn(place, "0") != digits)
    return;
  for (uint32_t rank = 0; rank < MAX_FILES; rank++) {
    char *file = tutti_xprintf("%.*s%0*u%s", (int)(place - path), path, digits, (unsigned)rank, place + digits);
    if (access(file, R_OK) != 0) {
      free(file);
      return;
    }
    tutti_xpush(files, file);
  }
}

/* ---- in a folder ---- */

static int is_shown(const struct dirent *entry)
{
  return entry->d_name[0] != '.';
}

/* Say which numbers are missing between those of the files: the ranks after them have other numbers then. */
static tutti_status name_gaps(const char *folder, const struct workload_files *files, tutti_passed *passed,
                              tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  unsigned long long before = 0, own;
  for (size_t f = 0; f < files->count && status == TUTTI_OK; f++, before = own) {
    int digits;
    const char *number = last_number(files->items[f], &digits);
    own = number ? strtoull(number, NULL, 10) : before;
    if (f > 0 && own > before + 1)
      status = tutti_pass_over(passed, folder, 0, "a rank without a file", error, "numbers %llu to %llu", before + 1,
                               own - 1);
  }
  return status;
}

tutti_status tutti_files_in_folder(const char *folder, struct workload_files *files, enum workload_format *format,
                                   tutti_passed *passed, tutti_error *error)
{
  struct dirent **entries = NULL;
  tutti_status status = tutti_input_permit(folder, error);
  const int count = status == TUTTI_OK ? scandir(folder, &entries, is_shown, versionsort) : 0;
  if (count < 0)
    return tutti_fail(error, TUTTI_ERR_IO, "%s: %s", folder, strerror(errno));
  *format = WORKLOAD_NONE;
  for (int e = 0; e < count; e++) {
    char *path = tutti_xprintf("%s/%s", folder, entries[e]->d_name);
    const enum workload_format own = status == TUTTI_OK ? format_of(path) : WORKLOAD_NONE;
    const bool is_of_ranks = own == WORKLOAD_LINES || own == WORKLOAD_DUMPI || own == WORKLOAD_TI ||
                             own == WORKLOAD_CHAKRA || own == WORKLOAD_CHAKRA_JSON;
    if (*format == WORKLOAD_NONE && is_of_ranks)
      *format = own;
    if (is_of_ranks && own == *format)
      tutti_xpush(files, path);
    else {
      if (status == TUTTI_OK)
        status =
            tutti_pass_over(passed, path, 0, "a file that is no trace of a rank, or of another kind than the first one",
                            error, "%s", "");
      free(path);
    }
    free(entries[e]);
  }
  free(entries);
  if (status == TUTTI_OK)
    status = name_gaps(folder, files, passed, error);
  return status != TUTTI_OK || files->count > 0
             ? status
             : tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: a folder without a trace: no file of a rank is there",
                          folder);
}

/* ---- of a list ---- */

/* A name leads nowhere but below the folder of the list. */
static bool leads_out(const char *name)
{
  return *name == '/' || strncmp(name, "../", 3) == 0 || strstr(name, "/../");
}

tutti_status tutti_files_of_list(const char *path, const char *text, struct workload_files *files, tutti_passed *passed,
                                 tutti_error *error)
{
  const char *slash = strrchr(path, '/');
  const int folder = slash ? (int)(slash - path) + 1 : 0;
  tutti_status status = TUTTI_OK;
  uint64_t number = 1;
  for (const char *line = text; *line && status == TUTTI_OK; number++) {
    const size_t length = strcspn(line, "\r\n");
    char *name = tutti_xprintf("%.*s", (int)length, line), *file = tutti_xprintf("%.*s%s", folder, path, name);
    if (length > 0 && *name != '#') {
      if (leads_out(name))
        status = tutti_pass_over(passed, path, number, "a file outside of the folder of the list", error, "%s", name);
      else if (format_of(file) != WORKLOAD_TI)
        status = tutti_pass_over(passed, path, number, "a file that is not there, or no time-independent trace", error,
                                 "%s", name);
      else {
        tutti_xpush(files, file);
        file = NULL;
      }
    }
    free(name);
    free(file);
    line += length;
    line += strspn(line, "\r");
    line += *line == '\n';
  }
  if (status == TUTTI_OK && files->count == 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: not a trace, and no list of files of traces", path);
  return status;
}
