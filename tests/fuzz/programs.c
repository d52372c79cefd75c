/* What programs leave: profiles, those of ranks of a program that was cut, and what jobs say on standard error. */
#include <fcntl.h>

#include "decision/results/rank_file.h"
#include "decision/tuning/tuning.h"
#include "harness/experiments/jobs/job.h"
#include "kinds.h"

/* ---- profiles ---- */

static bool read_profile(const fuzz_trial *trial, const char *path)
{
  struct program_profile profile;
  tutti_error error = {0};
  const bool taken = fuzz_taken(trial, tutti_profile_read(path, &profile, &error), &error, path);
  for (size_t i = 0; taken && i < profile.items.count; i++)
    if (profile.items.items[i].sites < 1 || !isfinite(profile.items.items[i].total))
      fuzz_fail(trial, "calls of %d sites take %g s", profile.items.items[i].sites, profile.items.items[i].total);
  tutti_profile_free(&profile);
  return taken;
}

bool fuzz_feed_profile(const fuzz_trial *trial)
{
  char *path = fuzz_file(trial, "input.profile", trial->text->bytes, trial->text->length);
  const bool taken = read_profile(trial, path);
  free(path);
  return taken;
}

/* ---- profiles and traces that were cut ---- */

static void make_cut(const char *kind, uint32_t rows, fuzz_text *text)
{
  struct rank_file_head head = {.magic = RANK_FILE_MAGIC,
                                .flavor = "smpi",
                                .library = "SimGrid-3.32",
                                .program = "app",
                                .ranks = 2,
                                .ranks_per_node = 1,
                                .run = 7,
                                .row = rows ? sizeof(struct profile_seen) : 0,
                                .used = rows,
                                .begun = 1,
                                .ended = 2};
  const struct profile_seen row = {"app.c:7", "MPI_COMM_WORLD",
                                   "bcast",   "binomial",
                                   "MPI_INT", "-",
                                   2,         2,
                                   4,         0,
                                   0,         1024,
                                   10,        0,
                                   5,         4,
                                   0.5,       0.25,
                                   0.01,      0.1,
                                   0.2};
  char block[RANK_FILE_HEAD] = {0};
  snprintf(head.kind, sizeof head.kind, "%s", kind);
  memcpy(block, &head, sizeof head);
  *text = fuzz_text_create();
  fuzz_text_set(text, block, sizeof block);
  for (uint32_t r = 0; r < rows; r++)
    fuzz_text_replace(text, text->length, text->length, (const char *)&row, sizeof row);
}

void fuzz_make_cut(fuzz_seeds *seeds)
{
  seeds->count = 2;
  seeds->texts = calloc(seeds->count, sizeof *seeds->texts);
  if (!seeds->texts)
    abort();
  make_cut("profile", 2, &seeds->texts[0]);
  make_cut("trace", 0, &seeds->texts[1]);
}

/* The records of what is left, as a file of their own: reading FILE warns the user. */
static void read_left(const fuzz_trial *trial, const char *path)
{
  char text[FUZZ_MAX_BYTES];
  tutti_error error = {0};
  FILE *stream = tutti_rank_files_profile(path, &error);
  if (!stream)
    fuzz_fail(trial, "what is left is no profile: %s", error.message);
  char *profile = fuzz_file(trial, "left.profile", text, fread(text, 1, sizeof text, stream));
  fclose(stream);
  (void)read_profile(trial, profile);
  free(profile);
}

bool fuzz_feed_cut(const fuzz_trial *trial)
{
  static const char *const kinds[] = {"profile", "trace"};
  char *path = fuzz_path(trial, "cut"), *first = fuzz_file(trial, "cut.0", trial->text->bytes, trial->text->length);
  tutti_error error = {0};
  bool taken = false;
  for (int k = 0; k < 2; k++) {
    char *sentence = tutti_rank_files_describe(path, kinds[k], &error);
    if (tutti_rank_files_are_left(path, kinds[k]) != (sentence != NULL))
      fuzz_fail(trial, "files that are left cannot be described");
    taken = sentence ? true : taken;
    free(sentence);
  }
  if (taken && tutti_rank_files_are_left(path, "profile"))
    read_left(trial, path);
  remove(first);
  free(first);
  free(path);
  return taken;
}

/* ---- standard error of a job ---- */

static void check_line(const fuzz_trial *trial, const char *line, size_t most)
{
  if (strlen(line) >= most)
    fuzz_fail(trial, "a line without an end");
  for (; *line; line++)
    if ((unsigned char)*line < ' ' || *line == '\x7f')
      fuzz_fail(trial, "the last words have the byte %d", *line);
}

bool fuzz_feed_output(const fuzz_trial *trial)
{
  char line[TUTTI_ERROR_LENGTH], again[TUTTI_ERROR_LENGTH],
      *path = fuzz_file(trial, "output.err", trial->text->bytes, trial->text->length);
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0)
    abort();
  check_line(trial, tutti_job_last_words(file, line, sizeof line), sizeof line);
  const bool found = tutti_job_find_reason(trial->text->bytes, again, sizeof again);
  check_line(trial, again, sizeof again);
  if (strcmp(line, again) != 0)
    fuzz_fail(trial, "a file says '%s', its text '%s'", line, again);
  (void)tutti_job_was_aborted(file);
  close(file);
  free(path);
  return found;
}
