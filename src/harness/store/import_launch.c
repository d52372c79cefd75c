/* Importing: facts in lines of the launcher: the number of ranks, the number of them on a node, and failures of ranks.
 *
 *     + mpirun -np 64 -npernode 16 ./osu_bcast          also -n, --ntasks=64, -n64; several programs between ':'
 *     + srun -n 64 -N 4 ./osu_bcast                     -N: nodes; of mpirun and aprun ranks on a node
 *     + jsrun -n 8 -a 4 -r 2 ./osu_bcast                resource sets of 4 ranks, 2 on a node
 *     #SBATCH --nodes=4 --ntasks-per-node=16            for launches that do not say it
 *     Processes: 64                                     what a script prints above a table
 *     mpirun noticed that process rank 3 ... exited on signal 9 (Killed).
 */
#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

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

/* ---- options of launchers and of jobs ---- */

/* Names of options, with blanks between them, that have a number; NULL: there are none. Resource sets are those of
   jsrun: so many, with so many ranks each. */
struct launcher {
  const char *names;
  const char *ranks, *nodes, *per_node, *sets, *per_set, *sets_per_node;
};

enum { OF_SLURM, OF_FLUX, OF_LSF, OF_VARIABLE = 11 /* $LAUNCH -n 4 ./osu_bcast: the last one */ };

static const struct launcher launchers[] = {
    [OF_SLURM] = {"srun yhrun", "-n --ntasks -np", "-N --nodes", "--ntasks-per-node --tasks-per-node"},
    [OF_FLUX] = {"flux", "-n --ntasks", "-N --nodes", "--tasks-per-node"},
    [OF_LSF] = {"", "-n", "-nnodes", NULL}, /* heads of jobs alone */
    {"mpirun mpiexec orterun prterun prun", "-np --np -n --n --ntasks -c", NULL,
     "-ppn --ppn -perhost -npernode --npernode --ntasks-per-node -N"},
    {"aprun", "-n", NULL, "-N"},
    {"jsrun", "-p --np", NULL, NULL, "-n --nrs", "-a --tasks_per_rs", "-r --rs_per_host"},
    {"lrun", "-n", "-N --nodes", "-T"},
    {"ibrun", "-n -np", NULL, NULL},
    {"runjob", "--np -n", NULL, "--ranks-per-node -p"},
    {"ccc_mprun", "-n", "-N", NULL},
    {"poe", "-procs", "-nodes", "-tasks_per_node"},
    [OF_VARIABLE] = {"", "-np --np -n --n --ntasks", "-N --nodes", "--ntasks-per-node -ppn -npernode"},
};

/* Whether a word of a command names the launcher, with or without its folder, its version or its process manager. */
static bool is_named(const struct launcher *launcher, const char *word, size_t length)
{
  for (size_t at = length; at > 0; at--)
    if (word[at - 1] == '/') {
      word += at;
      length -= at;
      break;
    }
  for (const char *name = launcher->names; *name; name += strspn(name, " ")) {
    const size_t own = strcspn(name, " ");
    if (length >= own && strncmp(word, name, own) == 0 && (length == own || strchr("._", word[own])))
      return true;
    name += own;
  }
  return false;
}

static const char blanks[] = " \t\r\"';";

/* "$LAUNCH" or "${LAUNCH}" before an option, in a line that names a benchmark. */
static bool is_variable(const char *word, size_t length)
{
  const char *next = word + length + strspn(word + length, blanks);
  return length > 1 && *word == '$' && *next == '-' && (strstr(next, "osu_") || strstr(next, "IMB-"));
}

/* The launcher that the line starts, and the text after it; NULL: none, or the line is a report. */
static const struct launcher *find_launcher(const char *line, const char **rest)
{
  for (line += strspn(line, blanks); *line; line += strspn(line, blanks)) {
    const size_t length = strcspn(line, blanks);
    size_t l = 0;
    while (l < sizeof launchers / sizeof *launchers &&
           !(l == OF_VARIABLE ? is_variable(line, length) : is_named(&launchers[l], line, length)))
      l++;
    line += length;
    *rest = line;
    if (l == sizeof launchers / sizeof *launchers)
      continue;
    line += strspn(line, blanks);
    if (l == OF_FLUX && strncmp(line, "run", 3) != 0 && strncmp(line, "mini", 4) != 0)
      continue;
    return is_failure(line) ? NULL : &launchers[l];
  }
  return NULL;
}

/* ---- numbers ---- */

enum { UNSAID = 0, UNREADABLE = -1 };

/* A number after an option of that name: "-np 64", "--ntasks=64", and "-n64" for one letter; "-np $N" is not readable.
 */
static int number_of(const char *word, const char *next, const char *name, size_t length)
{
  const char *text = word + length;
  uint64_t number;
  if (strncmp(word, name, length) != 0)
    return UNSAID;
  if (!*text)
    text = next;
  else if (*text == '=')
    text++;
  else if (length != 2 || word[1] == '-' || !isdigit((unsigned char)*text))
    return UNSAID;
  return text && tutti_parse_integer(text, 1, INT_MAX, &number) ? (int)number : UNREADABLE;
}

/* The first number counts, since later words belong to the program. */
static void read_number(const char *word, const char *next, const char *names, int *number)
{
  for (; names && *names && *number == UNSAID; names += strspn(names, " ")) {
    *number = number_of(word, next, names, strcspn(names, " "));
    names += strcspn(names, " ");
  }
}

/* A number after a key anywhere in a text: "mpiprocs=16". */
static void read_key(const char *text, const char *key, int *number)
{
  const char *at = strstr(text, key);
  if (!at || *number != UNSAID)
    return;
  const int64_t found = strtoll(at + strlen(key), NULL, 10);
  *number = found >= 1 && found <= INT_MAX ? (int)found : UNSAID;
}

static int product(int left, int right)
{
  int all;
  return left > 0 && right > 0 && !__builtin_mul_overflow(left, right, &all) ? all : UNSAID;
}

/* What can be computed from the others. */
static void complete(struct import_launch *launch)
{
  if (launch->ranks == UNSAID)
    launch->ranks = product(launch->nodes, launch->ranks_per_node);
  if (launch->ranks_per_node == UNSAID && launch->nodes > 0 && launch->ranks > 0 && launch->ranks % launch->nodes == 0)
    launch->ranks_per_node = launch->ranks / launch->nodes;
}

/* The ':' begins another program of the launch, whose ranks are added. */
static void read_options(char *line, const struct launcher *of, struct import_launch *launch)
{
  char *state = NULL, *word = strtok_r(line, blanks, &state), *next;
  int ranks = UNSAID, before = 0, sets = UNSAID, per_set = UNSAID, sets_per_node = UNSAID;
  for (; word; word = next) {
    next = strtok_r(NULL, blanks, &state);
    if (strcmp(word, ":") == 0) {
      before += ranks > 0 ? ranks : 0;
      ranks = UNSAID;
    }
    read_number(word, next, of->ranks, &ranks);
    read_number(word, next, of->nodes, &launch->nodes);
    read_number(word, next, of->per_node, &launch->ranks_per_node);
    read_number(word, next, of->sets, &sets);
    read_number(word, next, of->per_set, &per_set);
    read_number(word, next, of->sets_per_node, &sets_per_node);
    if (strncmp(word, "ppr:", 4) == 0 && strstr(word, ":node"))
      read_key(word, "ppr:", &launch->ranks_per_node);
  }
  ranks = sets != UNSAID ? product(sets, per_set ? per_set : 1) : ranks;
  if (sets_per_node > 0)
    launch->ranks_per_node = product(sets_per_node, per_set ? per_set : 1);
  if (ranks != UNSAID || before > 0)
    launch->ranks = before > 0 ? before + (ranks > 0 ? ranks : 0) : ranks;
}

/* ---- heads of jobs ---- */

static void read_pbs(const char *text, struct import_launch *job)
{
  if (strchr(text, '+')) /* nodes of several kinds */
    return;
  read_key(text, "select=", &job->nodes);
  read_key(text, "nodes=", &job->nodes);
  read_key(text, "mpiprocs=", &job->ranks_per_node);
  read_key(text, ":ppn=", &job->ranks_per_node);
}

/* "#SBATCH -N 4", "#PBS -l select=4:mpiprocs=16", "#BSUB -n 64", "SLURM_NTASKS=64": what holds for launches that do not
   say it. */
static bool note_job(struct import_launch *job, const char *line)
{
  static const struct {
    const char *head;
    int of;
  } heads[] = {{"#SBATCH", OF_SLURM}, {"#FLUX:", OF_FLUX}, {"# flux:", OF_FLUX}, {"#BSUB", OF_LSF}};
  bool is_head = strncmp(line, "#PBS", 4) == 0;
  for (size_t h = 0; h < sizeof heads / sizeof *heads; h++)
    if (strncasecmp(line, heads[h].head, strlen(heads[h].head)) == 0) {
      is_head = true;
      char *copy = tutti_xstrdup(line + strlen(heads[h].head));
      read_options(copy, &launchers[heads[h].of], job);
      free(copy);
    }
  if (strncmp(line, "#PBS", 4) == 0)
    read_pbs(line, job);
  if (strncmp(line, "#BSUB", 5) == 0)
    read_key(line, "ptile=", &job->ranks_per_node);
  read_key(line, "SLURM_NTASKS=", &job->ranks);
  read_key(line, "SLURM_NNODES=", &job->nodes);
  read_key(line, "SLURM_NTASKS_PER_NODE=", &job->ranks_per_node);
  read_key(line, "LSB_DJOB_NUMPROC=", &job->ranks);
  return is_head;
}

/* What the launch does not say is what its job says; a number of ranks that is not readable is not that of the job. */
static struct import_launch launch_of(const struct import_file *file)
{
  struct import_launch launch = file->launch, job = file->job;
  complete(&launch);
  complete(&job);
  if (launch.ranks == UNSAID && launch.nodes == UNSAID && launch.ranks_per_node == UNSAID)
    return job;
  if (launch.ranks == UNSAID && launch.nodes == UNSAID)
    launch.nodes = job.nodes;
  if (launch.ranks_per_node == UNSAID && (launch.ranks == UNSAID || launch.ranks == job.ranks))
    launch.ranks_per_node = job.ranks_per_node;
  complete(&launch);
  return launch;
}

/* "Processes: 64", "# Number of MPI ranks = 64": nothing else is on the line; 0: it is another one. What IMB prints is
   the size of a group of them. */
static int said_ranks(const char *line)
{
  static const char *const before[] = {"number of ", "no. of ", "total ", "mpi "}, *const names[] = {"processes",
                                                                                                     "ranks", "nprocs",
                                                                                                     "np", "ntasks"};
  if (strstr(line, "#processes"))
    return 0;
  line += strspn(line, "#=*- \t");
  for (size_t i = 0; i < sizeof before / sizeof *before; i++)
    if (strncasecmp(line, before[i], strlen(before[i])) == 0)
      line += strlen(before[i]);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const char *text = line + strlen(names[i]);
    if (strncasecmp(line, names[i], strlen(names[i])) != 0 || !strchr(":= \t", *text) || !*text)
      continue;
    text += strspn(text, " \t");
    text += *text == ':' || *text == '=';
    text += strspn(text, " \t");
    const size_t digits = strspn(text, "0123456789");
    const long number = digits > 0 && digits < 10 ? strtol(text, NULL, 10) : 0;
    return text[digits + strspn(text + digits, "=*- \t\r\n")] == '\0' ? (int)number : 0;
  }
  return 0;
}

/* Whether commands after this one start ranks, too: which of them printed the tables below is not known. */
static bool starts_more(const char *rest)
{
  const char *ignored;
  const char *next = strpbrk(rest, ";&|");
  return next && find_launcher(next + strspn(next, ";&|"), &ignored);
}

bool tutti_import_note_launch(struct import_file *file, const char *line)
{
  const char *rest;
  const int said = said_ranks(line);
  if (said > 0 && said != launch_of(file).ranks)
    file->launch = (struct import_launch){.ranks = said, .line = file->line};
  const struct launcher *launcher = note_job(&file->job, line) ? NULL : find_launcher(line, &rest);
  if (!launcher)
    return false;
  char *copy = tutti_xstrdup(rest);
  file->launch = (struct import_launch){.line = file->line};
  read_options(copy, launcher, &file->launch);
  file->launch.several = starts_more(rest);
  free(copy);
  return true;
}

tutti_status tutti_import_ranks(const struct import_file *file, int *ranks, tutti_error *error)
{
  const int said = file->how->ranks, started = launch_of(file).ranks > 0 ? launch_of(file).ranks : 0;
  if (said && file->launch.ranks > 0 && said != started)
    return tutti_import_fail_table(file, error, "not the number of --ranks: correct it, or leave it out",
                                   "line %zu starts %d ranks, --ranks says %d", file->launch.line, started, said);
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
  const int said = file->how->ranks_per_node, started = launch_of(file).ranks_per_node;
  const int per_node = said ? said : started > 0 ? started : 1;
  return said || per_node <= ranks ? per_node : ranks;
}
