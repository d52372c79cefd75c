/* The standard error of a job, shown to the user: while its first record is awaited, as the launcher may wait forever
   for an unreachable host, and after a failure. */
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/process.h"
#include "base/text.h"
#include "base/utf8.h"
#include "harness/experiments/jobs/job.h"

/* Silence after which it is shown, and how much of it. */
#define PATIENCE_SECONDS 3.0
/* Silence on a real machine after which a line is printed, even without output. */
#define LONG_SECONDS 20.0
/* Silence after which a launch ends that reported an unreachable host: launchers may wait forever for it. */
#define UNREACHED_SECONDS 60.0
enum { TOLD_MOST = 1 << 16 };

/* Bytes [told, told + *length) of the file as text owned by the caller, as far as they may be shown, or NULL. *size is
   that of the file. */
static char *read_untold(const struct job *job, const struct work *work, size_t *length, off_t *size)
{
  int file = tutti_work_has(work, job->number, "err") ? tutti_work_file(work, job->number, "err", O_RDONLY, NULL) : -1;
  if (file < 0)
    return NULL;
  *size = lseek(file, 0, SEEK_END);
  size_t room = job->told < TOLD_MOST ? (size_t)(TOLD_MOST - job->told) : 0;
  char *text = tutti_xmalloc(room + 1);
  ssize_t got = pread(file, text, room, job->told);
  close(file);
  *length = got > 0 ? (size_t)got : 0;
  text[*length] = '\0';
  if (*length > 0)
    return text;
  free(text);
  return NULL;
}

/* Print one character, or one invalid byte; returns its length. No control character of a terminal is printed. */
static size_t print_character(FILE *stream, const char *text)
{
  uint32_t code;
  int length = tutti_utf8_decode(text, &code);
  bool shown = length > 0 && (code == '\t' || tutti_utf8_is_shown(code));
  if (shown)
    fwrite(text, 1, (size_t)length, stream);
  else
    fprintf(stream, "\\x%02x", (unsigned char)*text);
  return shown ? (size_t)length : 1;
}

static void print_lines(FILE *stream, const char *text, size_t length)
{
  bool begun = false;
  for (const char *next = text; next < text + length;) {
    next += *next == '\r' && next[1] == '\n';
    if (*next == '\n') {
      begun = false;
      next++;
      continue;
    }
    if (!begun)
      fputs("\n    ", stream);
    begun = true;
    next += print_character(stream, next);
  }
}

/* Remove the notes of the measuring program from a text, unless they are to be shown, which happens once per command;
   returns the remaining length. */
static size_t drop_notes(char *text, bool *notes)
{
  static const char mark[] = "note: ";
  bool any = false;
  char *kept = text;
  for (char *line = text, *next; *line; line = next) {
    bool note = strncmp(line, mark, strlen(mark)) == 0;
    next = line + strcspn(line, "\n");
    next += *next == '\n';
    any = any || note;
    if (note && !(notes && *notes))
      continue;
    memmove(kept, line, (size_t)(next - line));
    kept += next - line;
  }
  *kept = '\0';
  if (any && notes)
    *notes = false;
  return (size_t)(kept - text);
}

/* New output, under a line that names the job and since when it is silent. */
static char *describe(struct job *job, const struct job_setting *setting, const char *silence)
{
  size_t length = 0, room;
  off_t size;
  char *text = read_untold(job, setting->work, &length, &size), *message = NULL, name[WORK_NAME_LENGTH];
  job->told += text ? (off_t)length : 0;
  length = text ? drop_notes(text, setting->notes) : 0;
  FILE *stream = length > 0 ? open_memstream(&message, &room) : NULL;
  if (!stream) {
    free(text);
    return NULL;
  }
  fprintf(stream, "%s on %d rank%s%s%s %ssays on standard error:", setting->program, job->manifest.ranks,
          tutti_plural((uint64_t)job->manifest.ranks), *job->where ? ", " : "", job->where, silence);
  print_lines(stream, text, length);
  if (job->told == TOLD_MOST && size > TOLD_MOST && !setting->transient)
    fprintf(stream, "\n    (its first %d bytes; all of it: %s/%s)", TOLD_MOST, setting->work->path,
            tutti_work_name(job->number, "err", name));
  free(text);
  return fclose(stream) == 0 ? message : NULL;
}

/* How long it is still waited for; "" where that is not limited. */
static char *describe_wait(const struct job *job, char text[80])
{
  double left = job->limit - (job->heard > 0 ? tutti_clock(CLOCK_MONOTONIC) - job->heard : 0);
  bool minutes = left > 120;
  text[0] = '\0';
  if (job->unreached > 0 && !(job->limit > 0 && left < UNREACHED_SECONDS))
    snprintf(text, 80, " and is ended in %.0f s unless it prints more", UNREACHED_SECONDS);
  else if (job->limit > 0 && isfinite(left) && left > 0)
    snprintf(text, 80, " and is ended in %.0f %s unless it does (--job-timeout)", minutes ? left / 60 : left,
             minutes ? "min" : "s");
  return text;
}

/* Whether to show its output before a long silence. Jobs in a queue are ended by the queue. */
static bool is_urgent(struct job *job, const struct work *work, double now)
{
  size_t length;
  off_t size;
  char *text = read_untold(job, work, &length, &size);
  bool urgent = text && tutti_job_was_unreached(text);
  if (text && !*job->where && (job->unreached > 0 || tutti_job_lacks_host(text)))
    job->unreached = now;
  free(text);
  return urgent;
}

/* A launcher may not say what it waits for. Reported once; a job in a queue may wait. */
static char *describe_silence(struct job *job, const struct job_setting *setting, const char *wait)
{
  job->silent = true;
  return tutti_xprintf("%s on %d rank%s has printed no record yet%s; it says nothing on standard error",
                       setting->program, job->manifest.ranks, tutti_plural((uint64_t)job->manifest.ranks), wait);
}

static void end_unreached(struct job *job)
{
  snprintf(job->reason, sizeof job->reason, "printed nothing for %.0f s after a host was not reached",
           UNREACHED_SECONDS);
  tutti_process_end(job->process);
}

char *tutti_job_news(struct job *job, const struct job_setting *setting)
{
  double now = tutti_clock(CLOCK_MONOTONIC);
  char wait[80], silence[128];
  if (job->reader.begun)
    return NULL;
  if (job->awaited == 0)
    job->awaited = now;
  bool urgent = is_urgent(job, setting->work, now);
  if (job->unreached > 0 && now - job->unreached > UNREACHED_SECONDS && !*job->reason)
    end_unreached(job);
  if (now - job->awaited < PATIENCE_SECONDS && !urgent)
    return NULL;
  snprintf(silence, sizeof silence, "has printed no record yet%s; it ", describe_wait(job, wait));
  char *message = describe(job, setting, silence);
  bool silent = now - job->awaited > LONG_SECONDS && job->told == 0 && !job->silent;
  bool here = !setting->launcher->simulated && !*job->where;
  return !message && silent && here ? describe_silence(job, setting, wait) : message;
}

/* Whether the message of the failure contains all of the text, because it is one line. */
static bool is_said(const char *text, const char *message)
{
  char words[TUTTI_ERROR_LENGTH];
  size_t length = strcspn(text, "\r\n");
  if (text[length + strspn(text + length, "\r\n")] || length >= sizeof words)
    return false;
  tutti_job_find_reason(text, words, sizeof words);
  if (*words && strstr(message, words))
    return true;
  snprintf(words, sizeof words, "%.*s", (int)length, text); /* "Killed", printed by the shell */
  return *words && strstr(message, words);
}

char *tutti_job_rest(struct job *job, const struct job_setting *setting, const tutti_error *failure)
{
  size_t length;
  off_t size;
  char *text = read_untold(job, setting->work, &length, &size);
  bool said = !text || is_said(text, failure->message);
  free(text);
  return said ? NULL : describe(job, setting, "");
}
