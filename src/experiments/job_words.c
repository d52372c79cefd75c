/* The last words of a job: of what it and its launcher write on standard error, that which says most about its end. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "experiments/job.h"
#include "experiments/simulation.h"

/* Of a long file only the end is looked at. */
enum { ERRORS_LENGTH = 1 << 16 };

/* The end of a file as text owned by the caller, or NULL. */
static char *read_end(int file)
{
  off_t size = lseek(file, 0, SEEK_END);
  off_t first = size > ERRORS_LENGTH ? size - ERRORS_LENGTH : 0;
  char *text = malloc(ERRORS_LENGTH + 1);
  if (!text)
    return NULL;
  ssize_t length = pread(file, text, ERRORS_LENGTH, first);
  text[length > 0 ? length : 0] = '\0';
  return text;
}

const char *tutti_job_own_sentence(const char *line)
{
  static const char *const prefixes[] = {
      "tutti-bench: ", "tutti-group: ", "tutti-params: ", "tutti-sort: ", "tutti-range: "};
  for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
    if (strncmp(line, prefixes[i], strlen(prefixes[i])) == 0)
      return line + strlen(prefixes[i]);
  return NULL;
}

static bool has_any(const char *text, const char *const *parts)
{
  for (; *parts; parts++)
    if (strstr(text, *parts))
      return true;
  return false;
}

bool tutti_job_lacks_host(const char *text)
{
  static const char *const parts[] = {
      "ould not resolve", "ame or service not known", "ailure in name resolution",   "onnection refused",
      "onnection timed",  "o route to host",          "ost key verification failed", NULL};
  return has_any(text, parts);
}

bool tutti_job_was_unreached(const char *text)
{
  static const char *const parts[] = {"ermission denied", "ommand not found", NULL};
  return tutti_job_lacks_host(text) || has_any(text, parts);
}

/* ---- how much a text says about the end of a job ---- */

/* Of equals the later one is better, from COMPLAINT on the first. */
enum weight { NOTHING, END, TEXT, COMPLAINT, CAUSE, OWN_SENTENCE };

static enum weight weigh_line(const char *line)
{
  static const char *const complaints[] = {"ccess violation", "xception", "rror", "[mpiexec@", NULL};
  if (strncmp(line, "note: ", strlen("note: ")) == 0)
    return NOTHING;
  if (tutti_job_own_sentence(line))
    return OWN_SENTENCE;
  if (tutti_job_was_unreached(line))
    return CAUSE;
  if (tutti_simulation_early_end(line) || has_any(line, complaints))
    return COMPLAINT;
  while (*line && !isalpha((unsigned char)*line))
    line++;
  return *line ? TEXT : NOTHING;
}

/* Open MPI tells in lines between two rules of dashes what is wrong, and what one could do. Some only say that the job
   has ended. */
static enum weight weigh_banner(const char *paragraph)
{
  static const char *const ends[] = {"Primary job ", " detected that one", " noticed that ", "MPI_ABORT was invoked",
                                     NULL};
  return has_any(paragraph, ends) ? END : *paragraph ? COMPLAINT : NOTHING;
}

/* ---- all lines ---- */

enum { PARAGRAPH_LENGTH = 512 };

struct last_words {
  char *line; /* the best so far */
  size_t length;
  enum weight best;
  bool in_banner, begins;           /* it is in its first paragraph */
  char paragraph[PARAGRAPH_LENGTH]; /* that one, with blanks for line ends */
};

static void copy_line(const char *text, char *line, size_t length)
{
  text += strspn(text, " \t");
  if (tutti_job_own_sentence(text))
    text = tutti_job_own_sentence(text);
  snprintf(line, length, "%s", text);
  for (char *c = line; *c; c++)
    if (iscntrl((unsigned char)*c))
      *c = ' ';
}

static void consider(struct last_words *words, const char *text, enum weight weight)
{
  if (weight > words->best || (weight == words->best && weight < COMPLAINT && weight > NOTHING))
    copy_line(text, words->line, words->length);
  words->best = weight > words->best ? weight : words->best;
}

/* Of a long paragraph its first sentence says enough. */
static void end_paragraph(struct last_words *words)
{
  enum { LONG = 160 };
  char *stop = strlen(words->paragraph) > LONG ? strstr(words->paragraph, ". ") : NULL;
  if (stop)
    stop[1] = '\0';
  consider(words, words->paragraph, weigh_banner(words->paragraph));
  words->paragraph[0] = '\0';
  words->begins = false;
}

/* Only the first paragraph says what is wrong; one that ends with a colon goes on behind the empty line. */
static void read_banner(struct last_words *words, const char *line)
{
  size_t used = strlen(words->paragraph);
  line += strspn(line, " \t");
  if (*line && words->begins)
    snprintf(words->paragraph + used, PARAGRAPH_LENGTH - used, "%s%s", used ? " " : "", line);
  else if (words->begins && used > 0 && words->paragraph[used - 1] != ':')
    end_paragraph(words);
}

static bool is_rule(const char *line)
{
  enum { DASHES = 20 };
  size_t dashes = strspn(line, "-");
  return dashes >= DASHES && !line[dashes + strspn(line + dashes, " ")];
}

static void read_line(struct last_words *words, char *line)
{
  for (size_t length = strlen(line); length > 0 && line[length - 1] == '\r'; length--)
    line[length - 1] = '\0';
  if (is_rule(line)) {
    end_paragraph(words);
    words->in_banner = words->begins = !words->in_banner;
  } else if (words->in_banner)
    read_banner(words, line);
  else
    consider(words, line, weigh_line(line));
}

char *tutti_job_last_words(int file, char *line, size_t length)
{
  char *text = read_end(file), *rest = text;
  struct last_words words = {.line = line, .length = length};
  line[0] = '\0';
  for (char *each; (each = strsep(&rest, "\n"));)
    read_line(&words, each);
  end_paragraph(&words);
  free(text);
  return line;
}

bool tutti_job_was_aborted(int file)
{
  char *text = read_end(file);
  bool aborted = text && tutti_simulation_early_end(text);
  free(text);
  return aborted;
}
