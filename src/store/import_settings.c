/* Importing: what the library was told to run. Logs of jobs have it above the times:
 *
 *     + export OMPI_MCA_coll_tuned_use_dynamic_rules=1                 until it is set to something else
 *     + mpirun --mca coll_tuned_bcast_algorithm 6 -np 64 ./osu_bcast   until the next line that starts ranks
 *     + mpiexec -genv MPIR_CVAR_BCAST_INTRA_ALGORITHM binomial -n 64 ./osu_bcast
 *
 * Of libraries made from MPICH that have settings of their own, it is only known of which collective these are.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/words.h"
#include "store/import_file.h"
#include "tutti/library.h"

static const char tuned[] = "coll_tuned_";

/* Settings of the environment; the first two are understood, those of Intel MPI and MVAPICH are not. */
static const char *const prefixes[] = {"OMPI_MCA_coll_tuned_", "MPIR_CVAR_", "I_MPI_ADJUST_", "MV2_", "MVP_"};
enum { PREFIXES = sizeof prefixes / sizeof *prefixes, FIRST_FOREIGN = 2 };

static bool begins(const char *text, const char *with)
{
  return strncmp(text, with, strlen(with)) == 0;
}

static bool begins_setting(const char *text, int first)
{
  for (int i = first; i < PREFIXES; i++)
    if (begins(text, prefixes[i]))
      return true;
  return false;
}

static bool has_setting(const char *line)
{
  bool found = strstr(line, tuned);
  for (int i = 0; i < PREFIXES; i++)
    found = found || strstr(line, prefixes[i]);
  return found;
}

/* ---- lines ---- */

static void clear(struct import_setting *setting)
{
  free(setting->name);
  free(setting->value);
}

static void set(struct import_settings *settings, char *name, const char *value, bool of_launch)
{
  const struct import_setting made = {name, tutti_xstrdup(value), of_launch};
  for (size_t i = 0; i < settings->count; i++)
    if (strcmp(settings->items[i].name, name) == 0 && settings->items[i].of_launch == of_launch) {
      clear(&settings->items[i]);
      settings->items[i] = made;
      return;
    }
  tutti_xpush(settings, made);
}

static void end_launch(struct import_settings *settings)
{
  size_t kept = 0;
  for (size_t i = 0; i < settings->count; i++)
    if (settings->items[i].of_launch)
      clear(&settings->items[i]);
    else
      settings->items[kept++] = settings->items[i];
  settings->count = kept;
}

static bool starts_ranks(const char *line)
{
  static const char *const launchers[] = {"mpirun", "mpiexec", "srun", "prterun"};
  for (size_t i = 0; i < sizeof launchers / sizeof *launchers; i++)
    if (strstr(line, launchers[i]))
      return true;
  return false;
}

/* NAME=VALUE; --mca NAME VALUE; -genv NAME VALUE. Values are written without blanks. */
static void note_words(struct import_settings *settings, char *line, bool of_launch)
{
  static const char blanks[] = " \t\r\"'";
  char *state = NULL;
  for (char *word = strtok_r(line, blanks, &state), *before = (char *)""; word;
       before = word, word = strtok_r(NULL, blanks, &state)) {
    char *value = strchr(word, '=');
    if (value && begins_setting(word, 0)) {
      *value++ = '\0';
      set(settings, tutti_xstrdup(word), value, of_launch);
    } else if ((begins(word, tuned) && tutti_word_is_listed("--mca -mca --gmca -gmca", ' ', before)) ||
               (begins_setting(word, 0) && tutti_word_is_listed("-genv -env", ' ', before))) {
      value = strtok_r(NULL, blanks, &state);
      if (!value)
        return;
      set(settings, tutti_xprintf("%s%s", begins(word, tuned) ? "OMPI_MCA_" : "", word), value, of_launch);
    }
  }
}

void tutti_import_note_settings(struct import_settings *settings, const char *line)
{
  bool of_launch = starts_ranks(line);
  if (of_launch)
    end_launch(settings);
  if (!has_setting(line))
    return;
  char *copy = tutti_xstrdup(line);
  note_words(settings, copy, of_launch);
  free(copy);
}

void tutti_import_settings_free(struct import_settings *settings)
{
  for (size_t i = 0; i < settings->count; i++)
    clear(&settings->items[i]);
  tutti_vector_free(settings);
}

/* ---- what they say ---- */

/* What was said last, on the line of the launch before all others. */
static const char *find_setting(const char *name, const void *context)
{
  const struct import_file *file = context;
  const char *found = NULL;
  for (size_t i = 0; i < file->settings.count; i++)
    if (strcmp(file->settings.items[i].name, name) == 0 && (!found || file->settings.items[i].of_launch))
      found = file->settings.items[i].value;
  return found || !file->how->environment ? found : getenv(name);
}

static void note_told(const struct import_file *file, const tutti_method *method, const tutti_directive *told)
{
  char name[TUTTI_METHOD_LENGTH], **lines = &file->imported->told;
  char *what = tutti_xprintf(": %s (%s=%s)\n", tutti_method_format(method, name), told->name, told->value);
  if (!*lines || !strstr(*lines, what)) {
    char *longer = tutti_xprintf("%s%s:%zu%s", *lines ? *lines : "", file->name, file->line, what);
    free(*lines);
    *lines = longer;
  }
  free(what);
}

/* ---- settings that are not understood ---- */

/* The collective that a name has among its words, "I_MPI_ADJUST_REDUCE_SCATTER"; TUTTI_COLL_COUNT: none. */
static tutti_collective collective_named(const char *name)
{
  tutti_collective found = TUTTI_COLL_COUNT;
  size_t longest = 0;
  for (int c = 0; c < TUTTI_COLL_COUNT; c++) {
    const char *word = tutti_collective_name((tutti_collective)c), *at = strcasestr(name, word);
    size_t length = strlen(word);
    for (; at && (at == name || at[-1] != '_' || (at[length] && at[length] != '_')); at = strcasestr(at + 1, word))
      ;
    if (at && length > longest) {
      longest = length;
      found = (tutti_collective)c;
    }
  }
  return found;
}

static tutti_status check_foreign(const struct import_file *file, tutti_collective collective, const char *name,
                                  tutti_error *error)
{
  const char *value =
      begins_setting(name, FIRST_FOREIGN) && collective_named(name) == collective ? find_setting(name, file) : NULL;
  if (!value || tutti_word_is_listed("0 auto", ' ', value) || !*value)
    return TUTTI_OK;
  return tutti_import_fail(file, error,
                           "which method was it? %s=%.40s chooses one in words of %s, which are not known (say it with "
                           "--as, or import only runs without that setting)",
                           name, value, file->how->library);
}

/* Libraries that do not look at such settings are let off: others may have been set in the same script. */
static tutti_status check_all_foreign(const struct import_file *file, tutti_collective collective, tutti_error *error)
{
  const char *library = file->how->library;
  tutti_status status = TUTTI_OK;
  if (!library || file->how->implementation != TUTTI_IMPLEMENTATION_MPICH || strcasestr(library, "mpich"))
    return status;
  for (size_t i = 0; i < file->settings.count && status == TUTTI_OK; i++)
    status = check_foreign(file, collective, file->settings.items[i].name, error);
  for (char **variable = environ; file->how->environment && *variable && status == TUTTI_OK; variable++) {
    char *name = tutti_xprintf("%.*s", (int)strcspn(*variable, "="), *variable);
    status = check_foreign(file, collective, name, error);
    free(name);
  }
  return status;
}

/* ---- the method ---- */

tutti_status tutti_import_method(struct import_file *file, tutti_collective collective, int ranks, tutti_method *method,
                                 tutti_error *error)
{
  const tutti_import_how *how = file->how;
  tutti_directive told;
  tutti_error reason;
  for (size_t i = 0; i < how->method_count; i++)
    if (how->methods[i].algorithm->collective == collective) {
      *method = how->methods[i];
      return TUTTI_OK;
    }
  *method = tutti_method_default(tutti_algorithm_find(collective, "native"));
  if (how->implementation == TUTTI_IMPLEMENTATION_TUTTI)
    return TUTTI_OK;
  if (tutti_method_told(collective, how->implementation, how->library, ranks, find_setting, file, method, &told,
                        &reason) != TUTTI_OK)
    return tutti_import_fail(file, error, "which method was it? %s (say it with --as)", reason.message);
  if (*told.name)
    note_told(file, method, &told);
  return *told.name ? TUTTI_OK : check_all_foreign(file, collective, error);
}
