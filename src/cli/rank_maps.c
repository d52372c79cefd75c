/* tutti rank-maps: the old name of the program tutti-rank-maps, together with tutti import; accepted for one version.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/memory.h"
#include "base/process.h"
#include "base/say.h"
#include "base/vector.h"
#include "cli/command.h"
#include "cli/options/common.h"
#include "tutti/import.h"

struct rank_maps_options {
  tutti_format format;
  const char *database; /* NULL: nothing is stored */
  const char *platform;
  struct option_strings groups; /* none: all */
};

static void check_options(void *values)
{
  const struct rank_maps_options *options = values;
  if (options->platform && !options->database)
    die("--platform names this machine in the store of --db");
}

static const struct option_row options[] = {
    OPTION_FORMAT(struct rank_maps_options, format),
    OPTION_STRING("db", "FILE", struct rank_maps_options, database, "put what was measured into the store FILE"),
    OPTION_STRING("platform", "NAME", struct rank_maps_options, platform, "there, this machine is called NAME",
                  .otherwise = "as its processor"),
    ARGUMENT_STRINGS("GROUP", struct rank_maps_options, groups, .optional = true),
    OPTION_CHECK(check_options),
    OPTION_END};

/* Run the program; @p records: where it prints them, and what goes wrong; -1: no records. Returns its status. */
static int run_program(const struct rank_maps_options *options, int records)
{
  static const char *const formats[] = {"--text", "--json", "--csv"};
  struct {
    TUTTI_VECTOR(const char *);
  } words = {0};
  char *path = program_find(NULL, NULL, "tutti-rank-maps");
  pid_t process;
  tutti_xpush(&words, path);
  tutti_xpush(&words, formats[options->format]);
  if (records >= 0)
    tutti_xpush(&words, "--records");
  tutti_xpush(&words, "--");
  for (size_t i = 0; i < options->groups.count; i++)
    tutti_xpush(&words, options->groups.items[i]);
  tutti_xpush(&words, NULL);
  tutti_say(stderr, "tutti: note: tutti rank-maps is an old name of %s\n", path);
  const struct tutti_command command = {
      .arguments = (char *const *)words.items, .directory = -1, .output = -1, .errors = records};
  must(tutti_process_start(&command, &process, &failure));
  const int status = tutti_process_wait(process);
  tutti_vector_free(&words);
  free(path);
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static void store_records(FILE *records, const char *machine, tutti_store *store)
{
  tutti_imported_runs runs = {.count = 0};
  must(tutti_import_runs_read(&runs, records, "tutti-rank-maps", &failure));
  must(tutti_import_runs_store(&runs, machine, store, &failure));
  tutti_imported_runs_free(&runs);
}

static void print_failure(FILE *records)
{
  char line[512];
  while (fgets(line, sizeof line, records))
    if (strncmp(line, "tutti-rank-maps:", strlen("tutti-rank-maps:")) == 0)
      tutti_say(stderr, "%s", line);
}

static int run(void *values)
{
  const struct rank_maps_options *options = values;
  if (!options->database)
    return run_program(options, -1);
  tutti_store *store = store_open(options->database);
  FILE *records = tmpfile();
  if (!records)
    die("no temporary file: %s", strerror(errno));
  const int code = run_program(options, fileno(records));
  rewind(records);
  if (code == EXIT_DONE)
    store_records(records, options->platform, store);
  else
    print_failure(records);
  fclose(records);
  store_close(store);
  return code;
}

const struct command command_rank_maps = {
    .name = "rank-maps",
    .text = "old name of the program tutti-rank-maps\n\nDESCRIPTION\nRun tutti-rank-maps and print its tables; put its "
            "records into a store as tutti import does.\n\nSEE ALSO\ntutti import; docs/explanation/maps.md\n",
    .options = options,
    .size = sizeof(struct rank_maps_options),
    .run = run,
};
