/* The last words of a job: the line of its and its launcher's standard error that explains its end best. */
#include <ctype.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/text.h"
#include "harness/experiments/jobs/job.h"
#include "harness/experiments/plan/simulation.h"

/* Bytes read at the end of a long file. */
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

/* The text of a line of a measuring program, without its name; NULL for any other line. */
static const char *own_sentence(const char *line)
{
  static const char *const prefixes[] = {"tutti-bench: ", "tutti-group: ",    "tutti-params: ", "tutti-sort: ",
                                         "tutti-range: ", "tutti-pingpong: ", "tutti-replay: ", "tutti-jobs: "};
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

/* Among lines of equal weight the last one counts, from COMPLAINT on the first one. */
enum weight { NOTHING, END, TEXT, COMPLAINT, CAUSE, OWN_SENTENCE };

enum { ALL = -1 };

/* A part of a line, its weight, and where the text shown begins: ALL, the whole line, or this many bytes after the
   beginning of the part. The first part found counts. Messages of SimGrid 3.32 to 4, MPICH (Hydra), Open MPI, Slurm,
   glibc, libstdc++ and UCX. */
static const struct sign {
  const char *part;
  enum weight weight;
  int begin;
} signs[] = {
    {" DUE TO ", CAUSE, ALL}, /* a limit of Slurm */
    {"oom_kill", CAUSE, ALL},
    {"Out Of Memory", CAUSE, ALL},
    {"*** MPI_ERR_", CAUSE, 4},
    {"what():", CAUSE, 7}, /* of an exception of C++ */
    /* Places, and lines that come with every end. */
    {"  ->  ", NOTHING, ALL},
    {"Backtrace (displayed", NOTHING, ALL},
    {"backtrace:", NOTHING, ALL},
    {"==== backtrace", NOTHING, ALL},
    {")[0x", NOTHING, ALL},
    {") [0x", NOTHING, ALL},
    {"Execution failed with code", NOTHING, ALL},
    {"Try to enable SMPI variable privatization", END, ALL}, /* after a segmentation fault */
    {" --cfg=smpi/", NOTHING, ALL},
    {"Exiting now.", NOTHING, ALL},
    {"Process received signal", NOTHING, ALL},
    {"Signal code:", NOTHING, ALL},
    {"Failing at address", NOTHING, ALL},
    {"End of error message", NOTHING, ALL},
    {"*** reported by", NOTHING, ALL},
    {"*** on ", NOTHING, ALL},
    {"*** MPI_ERRORS_ARE_FATAL", NOTHING, ALL},
    {"and potentially your MPI job", NOTHING, ALL},
    {"CLEANING UP REMAINING PROCESSES", NOTHING, ALL},
    {"CLEANUP MESSAGES", NOTHING, ALL},
    {"=   BAD TERMINATION", NOTHING, ALL},
    {"=   PID ", NOTHING, ALL},
    {"=   EXIT CODE:", NOTHING, ALL},
    {"This typically refers to", NOTHING, ALL},
    {"see the FAQ page", NOTHING, ALL},
    {"Set MCA parameter", NOTHING, ALL},
    {"sent help message", NOTHING, ALL},
    {"processes failed to start", NOTHING, ALL},
    /* That it ended. */
    {"EXIT STRING: ", END, 13},
    {"application called MPI_Abort", END, ALL},
    {"Exited with exit code", END, ALL},
    {"Job step aborted", END, ALL},
    {"srun: Terminating", END, ALL},
    {"CANCELLED AT", END, ALL},
    {": Killed", END, ALL},
    {": Terminated", END, ALL},
    /* Why. */
    {"An error occurred in MPI_", TEXT, ALL},
    {"[smpi_pmpi/WARNING] ", COMPLAINT, 20},
    {"/WARNING] MPI_Abort was called", COMPLAINT, 10},
    {"/WARNING] SMPI process did not return 0", COMPLAINT, 10},
    {"/CRITICAL] ", COMPLAINT, 11},
    {"/ERROR] ", COMPLAINT, 8},
    {"/WARNING] ", END, 10},
    {"/INFO] ", END, 7},
    {"Caught signal", COMPLAINT, ALL},
    {"Signal: ", COMPLAINT, ALL},
    {"terminate called after", COMPLAINT, ALL},
    {"' not found (required by", COMPLAINT, ALL},
    {"ccess violation", COMPLAINT, ALL},
    {"xception", COMPLAINT, ALL},
    {"rror", COMPLAINT, ALL},
    {"[mpiexec@", COMPLAINT, ALL},
};

/* Whether the line is a shell's message about a signal: the status already tells it. */
static bool is_signal_alone(const char *line)
{
  for (int number = 1; number < NSIG; number++) {
    const char *name = sigdescr_np(number);
    size_t length = name ? strlen(name) : 0;
    if (length > 0 && strncmp(line, name, length) == 0 &&
        (!line[length] || strcmp(line + length, ".") == 0 || strcmp(line + length, " (core dumped)") == 0))
      return true;
  }
  return false;
}

static const struct sign *find_sign(const char *line)
{
  for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
    if (strstr(line, signs[i].part))
      return &signs[i];
  return NULL;
}

static bool has_letter(const char *line)
{
  while (*line && !isalpha((unsigned char)*line))
    line++;
  return *line;
}

static enum weight weigh_line(const char *line)
{
  if (strncmp(line, "note: ", strlen("note: ")) == 0 || !has_letter(line) || is_signal_alone(line))
    return NOTHING;
  if (own_sentence(line))
    return OWN_SENTENCE;
  if (tutti_job_was_unreached(line))
    return CAUSE;
  const struct sign *sign = find_sign(line);
  return sign ? sign->weight : TEXT;
}

/* Open MPI prints errors and advice between two rules of dashes. Some only say that the job has ended. */
static enum weight weigh_banner(const char *paragraph)
{
  static const char *const ends[] = {"Primary job ",          " detected that one",         " noticed that ",
                                     "MPI_ABORT was invoked", " has exited due to process", NULL};
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

/* What failed checks of SimGrid's solvers mean; NULL for any other line. */
static const char *explain(const char *line)
{
  static const char *const checks[][2] = {
      {"The Impossible Did Happen", "The Impossible Did Happen, as when a rank computes on a host of speed 0"},
      {"Cannot saturate more a constraint",
       "SMPI ends at a rounding in its solver (Cannot saturate more a constraint), where --engine fast goes on"},
      {"Try to enable SMPI variable privatization", /* a full link without a flow, too */
       "the method, or a rounding in SMPI's solver, where --engine fast goes on"},
  };
  for (size_t i = 0; i < sizeof checks / sizeof *checks; i++)
    if (strstr(line, checks[i][0]))
      return checks[i][1];
  return NULL;
}

/* Skip the name of the program, or the time and place that SimGrid prints. */
static const char *skip_prefix(const char *line)
{
  const char *own = own_sentence(line);
  const struct sign *sign = own ? NULL : find_sign(line);
  if (own)
    return own;
  if (sign && explain(line))
    return explain(line);
  return sign && sign->begin != ALL ? strstr(line, sign->part) + sign->begin : line;
}

static void copy_line(const char *text, char *line, size_t length)
{
  text = skip_prefix(text + strspn(text, " \t"));
  text += strspn(text, " \t");
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

/* The first sentence of a long paragraph is enough. */
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

/* Only the first paragraph names the error; one that ends with a colon continues after the empty line. */
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

/* SimGrid and compilers write them where they take the output for a terminal. */
static void drop_colors(char *line)
{
  for (char *escape = strstr(line, "\x1b["); escape; escape = strstr(escape, "\x1b[")) {
    const char *end = escape + 2 + strspn(escape + 2, "0123456789;");
    end += *end == 'm';
    memmove(escape, end, strlen(end) + 1);
  }
}

static void read_line(struct last_words *words, char *line)
{
  drop_colors(line);
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

/* All lines of a text, which is taken apart. */
static enum weight read_lines(char *text, char *line, size_t length)
{
  struct last_words words = {.line = line, .length = length};
  line[0] = '\0';
  for (char *each; (each = strsep(&text, "\n"));)
    read_line(&words, each);
  end_paragraph(&words);
  return words.best;
}

char *tutti_job_last_words(int file, char *line, size_t length)
{
  char *text = read_end(file);
  read_lines(text, line, length);
  free(text);
  return line;
}

bool tutti_job_find_reason(const char *output, char *line, size_t length)
{
  char *text = tutti_xstrdup(output);
  enum weight weight = read_lines(text, line, length);
  free(text);
  return weight >= COMPLAINT;
}

bool tutti_job_was_aborted(int file)
{
  char *text = read_end(file);
  bool aborted = text && tutti_simulation_early_end(text);
  free(text);
  return aborted;
}
