/* Importing: facts in lines of the launcher: the number of ranks, the number of them on a node, and failures of ranks.
 *
 *     + mpirun -np 64 -npernode 16 ./osu_bcast          also -n, --ntasks=64, -n64; several programs between ':'
 *     + srun -n 64 -N 4 ./osu_bcast                     -N: nodes; of other launchers ranks on a node
 *     mpirun noticed that process rank 3 ... exited on signal 9 (Killed).
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "harness/store/import_file.h"

/* ---- failures ---- */

/* Whether a line reports ranks that failed. */
static bool is_failure(const char *line)
{
  static const char *const signs[] = {"BAD TERMINATION OF ONE OF",
                                      " noticed that process rank",
                                      " detected that one or more processes exited",
                                      "exited on signal",
                                      "srun: error:",
                                      "slurmstepd: error:",
                                      "MPI_ABORT was invoked",
                                      "application called MPI_Abort(",
                                      "APPLICATION TERMINATED WITH THE EXIT STRING",
                                      "PRTE has lost communication",
                                      "ORTE has lost communication"};
  for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
    if (strstr(line, signs[i]))
      return true;
  return false;
}

void tutti_import_note_failure(struct import_file *file, const char *line)
{
  char **warnings = &file->imported->warnings;
  if (file->failed || !is_failure(line))
    return;
  file->failed = true;
  line += strspn(line, " \t=|");
  char *said = tutti_xstrndup(line, strcspn(line, "\r\n"));
  char *longer =
      tutti_xprintf("%s%s:%zu: ranks failed ('%.120s'): times may be missing or disturbed; what there is was stored\n",
                    *warnings ? *warnings : "", file->name, file->line, said);
  free(said);
  free(*warnings);
  *warnings = longer;
}

/* ---- the line that starts ranks ---- */

/* The launcher that a word of a command names, with or without its folder, or NULL. */
static const char *launcher_of(const char *word, size_t length)
{
  static const char *const launchers[] = {"mpirun", "mpiexec", "orterun", "prterun", "srun", "aprun"};
  for (size_t at = length; at > 0; at--)
    if (word[at - 1] == '/') {
      word += at;
      length -= at;
      break;
    }
  for (size_t i = 0; i < sizeof launchers / sizeof *launchers; i++) {
    const size_t own = strlen(launchers[i]);
    if (length >= own && strncmp(word, launchers[i], own) == 0 && (length == own || strchr("._", word[own])))
      return launchers[i];
  }
  return NULL;
}

static const char blanks[] = " \t\r\"';";

/* The launcher that the line starts, and the text after it; NULL: none, or the line is a report. */
static const char *find_launcher(const char *line, const char **rest)
{
  for (line += strspn(line, blanks); *line; line += strspn(line, blanks)) {
    const size_t length = strcspn(line, blanks);
    const char *launcher = launcher_of(line, length);
    line += length;
    *rest = line;
    if (launcher)
      return is_failure(line) ? NULL : launcher;
  }
  return NULL;
}

/* A number after an option of that name: "-np 64", "--ntasks=64", and "-n64" for one letter; 0: none. */
static int number_of(const char *word, const char *next, const char *name)
{
  const size_t length = strlen(name);
  const char *text = word + length;
  uint64_t number;
  if (strncmp(word, name, length) != 0)
    return 0;
  if (!*text)
    text = next;
  else if (*text == '=')
    text++;
  else if (length != 2)
    return 0;
  return text && tutti_import_whole(text, &number) && number >= 1 && number <= INT_MAX ? (int)number : 0;
}

static int any_number_of(const char *word, const char *next, const char *const *names)
{
  int number = 0;
  for (; *names && number == 0; names++)
    number = number_of(word, next, *names);
  return number;
}

/* The first number counts, since later words belong to the program; ':' begins another program of the launch. */
static void read_options(char *line, bool of_slurm, struct import_launch *launch)
{
  static const char *const counts[] = {"-np", "--np", "-n", "--n", "--ntasks", NULL};
  static const char *const per_node[] = {"-ppn", "--ppn", "-perhost", "-npernode", "--npernode", "--ntasks-per-node",
                                         NULL};
  static const char *const slots[] = {"-N", "--nodes", NULL};
  char *state = NULL, *word = strtok_r(line, blanks, &state), *next;
  int ranks = 0, nodes = 0;
  for (; word; word = next) {
    next = strtok_r(NULL, blanks, &state);
    if (strcmp(word, ":") == 0) {
      launch->ranks += ranks;
      ranks = 0;
    }
    ranks = ranks ? ranks : any_number_of(word, next, counts);
    launch->ranks_per_node = launch->ranks_per_node ? launch->ranks_per_node : any_number_of(word, next, per_node);
    nodes = nodes ? nodes : any_number_of(word, next, slots);
  }
  launch->ranks += ranks;
  if (!of_slurm && launch->ranks_per_node == 0)
    launch->ranks_per_node = nodes;
  else if (of_slurm && nodes && launch->ranks == 0)
    launch->ranks = nodes * launch->ranks_per_node;
  else if (of_slurm && nodes && launch->ranks_per_node == 0 && launch->ranks % nodes == 0)
    launch->ranks_per_node = launch->ranks / nodes;
}

bool tutti_import_note_launch(struct import_file *file, const char *line)
{
  const char *rest, *launcher = find_launcher(line, &rest);
  if (!launcher)
    return false;
  char *copy = tutti_xstrdup(rest);
  file->launch = (struct import_launch){.line = file->line};
  read_options(copy, strcmp(launcher, "srun") == 0, &file->launch);
  free(copy);
  return true;
}

tutti_status tutti_import_ranks(const struct import_file *file, int *ranks, tutti_error *error)
{
  const int said = file->how->ranks, started = file->launch.ranks;
  if (said && started && said != started)
    return tutti_import_fail(file, error, "line %zu starts %d ranks, --ranks says %d: correct it, or leave it out",
                             file->launch.line, started, said);
  *ranks = said ? said : started;
  return TUTTI_OK;
}

tutti_status tutti_import_own_ranks(struct import_file *file, int *ranks, tutti_error *error)
{
  if (*ranks == 0)
    return tutti_import_ranks(file, ranks, error);
  file->imported->own_ranks = true;
  return TUTTI_OK;
}

int tutti_import_ranks_per_node(const struct import_file *file, int ranks)
{
  const int said = file->how->ranks_per_node, started = file->launch.ranks_per_node;
  const int per_node = said ? said : started ? started : 1;
  return said || per_node <= ranks ? per_node : ranks;
}
