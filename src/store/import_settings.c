/* Importing: what the library was told to run. Logs of jobs have it above the times:
 *
 *     + export OMPI_MCA_coll_tuned_use_dynamic_rules=1                 until it is set to something else
 *     + mpirun --mca coll_tuned_bcast_algorithm 6 -np 64 ./osu_bcast   until the next line that starts ranks
 *     + mpiexec -genv MPIR_CVAR_BCAST_INTRA_ALGORITHM binomial -n 64 ./osu_bcast
 */
#include <stdlib.h>
#include <string.h>

#include "base/words.h"
#include "store/import_file.h"
#include "tutti/library.h"

static const char tuned[] = "coll_tuned_", mca[] = "OMPI_MCA_coll_tuned_", cvar[] = "MPIR_CVAR_";

static bool begins(const char *text, const char *with)
{
  return strncmp(text, with, strlen(with)) == 0;
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
    if (value && (begins(word, mca) || begins(word, cvar))) {
      *value++ = '\0';
      set(settings, tutti_xstrdup(word), value, of_launch);
    } else if ((begins(word, tuned) && tutti_word_is_listed("--mca -mca --gmca -gmca", ' ', before)) ||
               ((begins(word, mca) || begins(word, cvar)) && tutti_word_is_listed("-genv -env", ' ', before))) {
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
  if (!strstr(line, tuned) && !strstr(line, cvar))
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

/* ---- the method ---- */

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
  return TUTTI_OK;
}
