/* Importing: what the library was told to run. Logs of jobs have it above the times:
 *
 *     + export OMPI_MCA_coll_tuned_use_dynamic_rules=1                 until it is set to something else
 *     + mpirun --mca coll_tuned_bcast_algorithm 6 -np 64 ./osu_bcast   until the next line that starts ranks
 *     + srun --export=ALL,OMPI_MCA_coll_tuned_bcast_algorithm=6 -n 64 ./osu_bcast
 *     + mpiexec -genv MPIR_CVAR_BCAST_INTRA_ALGORITHM binomial -n 64 ./osu_bcast
 *
 * A name that chooses algorithms, or a file that does, and whose value cannot be made out, is noted without a value:
 * times that it may have changed are refused. Of libraries made from MPICH that have settings of their own, it is only
 * known of which collective these are.
 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/words.h"
#include "libraries/libraries.h"
#include "store/import_file.h"
#include "tutti/library.h"

static const char tuned[] = "coll_tuned_", mca[] = "OMPI_MCA_coll", cvar[] = "MPIR_CVAR_";

static bool begins(const char *text, const char *with)
{
  return strncmp(text, with, strlen(with)) == 0;
}

/* ---- names ---- */

/* Of a file with rules, whatever reads it. */
static bool names_rules(const char *name)
{
  return strcasestr(name, "rules_filename") || strcasestr(name, "TUNING_JSON_FILE");
}

/* Does it choose algorithms, in whatever library? */
static bool chooses(const char *name)
{
  static const char ending[] = "_algorithm";
  const size_t length = strlen(name), end = strlen(ending);
  return names_rules(name) || (length > end && strcasecmp(name + length - end, ending) == 0);
}

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

/* May it choose that of the collective? So may one that names none. */
static bool chooses_for(const char *name, tutti_collective collective)
{
  const tutti_collective named = collective_named(name);
  return names_rules(name) || named == TUTTI_COLL_COUNT || named == collective;
}

/* Settings of Intel MPI and MVAPICH. */
static bool is_foreign(const char *name)
{
  return begins(name, "I_MPI_ADJUST_") || begins(name, "MV2_") || begins(name, "MVP_");
}

/* The variables whose values are read: those of coll/tuned and the choice of components, and of MPICH; others that
   choose algorithms (coll/han, hcoll) are not followed. */
static bool is_read(const char *name)
{
  return begins(name, "OMPI_MCA_coll_tuned_") || strcmp(name, mca) == 0 || begins(name, cvar) ||
         (begins(name, "MPI") && names_rules(name)) || is_foreign(name);
}

/* ---- lines ---- */

static void clear(struct import_setting *setting)
{
  free(setting->name);
  free(setting->value);
}

static struct import_setting *find(const struct import_settings *settings, const char *name, bool of_launch)
{
  for (size_t i = 0; i < settings->count; i++)
    if (strcmp(settings->items[i].name, name) == 0 && settings->items[i].of_launch == of_launch)
      return &settings->items[i];
  return NULL;
}

/* A mention without a value (NULL) says nothing new of what has one. @p name becomes ours. */
static void set(struct import_file *file, char *name, const char *value, bool of_launch)
{
  struct import_settings *settings = &file->settings;
  struct import_setting *before = find(settings, name, of_launch);
  if (!value && (find(settings, name, true) || find(settings, name, false))) {
    free(name);
    return;
  }
  const struct import_setting made = {name, value ? tutti_xstrdup(value) : NULL, of_launch, file->line};
  if (before) {
    clear(before);
    *before = made;
  } else
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

/* --export=ALL,NAME=VALUE,NAME=VALUE of srun becomes words. */
static void split_export(char *line)
{
  static const char option[] = "--export";
  while ((line = strstr(line, option))) {
    line += strlen(option);
    if (*line == '=')
      *line = ' ';
    for (line += strspn(line, " "); *line && *line != ' '; line++)
      if (*line == ',')
        *line = ' ';
  }
}

/* A word with a name in it: NAME=VALUE, or a mention. */
static void note_word(struct import_file *file, char *word, bool of_launch, bool unset)
{
  static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_";
  for (size_t length; *word; word += length ? length : 1) {
    length = strspn(word, letters);
    char *name = tutti_xprintf("%s%.*s", begins(word, tuned) ? "OMPI_MCA_" : "", (int)length, word);
    if (is_read(name) && word[length] == '=') {
      set(file, name, word + length + 1, of_launch);
      return;
    }
    if (is_read(name) && unset)
      set(file, name, "", of_launch);
    else if (chooses(name))
      set(file, name, NULL, of_launch);
    else
      free(name);
  }
}

/* NAME=VALUE; --mca NAME VALUE; -genv NAME VALUE; unset NAME. Values are written without blanks. */
static void note_words(struct import_file *file, char *line, bool of_launch)
{
  static const char blanks[] = " \t\r\"';";
  char *state = NULL;
  bool unset = false;
  for (char *word = strtok_r(line, blanks, &state), *before = (char *)""; word;
       before = word, word = strtok_r(NULL, blanks, &state)) {
    const bool of_mca = tutti_word_is_listed("--mca -mca --gmca -gmca", ' ', before);
    unset = unset || strncmp(word, "unset", strlen("unset")) == 0;
    char *name = tutti_xprintf("%s%s", of_mca ? "OMPI_MCA_" : "", word);
    if (is_read(name) && !strchr(name, '=') && (of_mca || tutti_word_is_listed("-genv -env setenv", ' ', before))) {
      const char *value = strtok_r(NULL, blanks, &state);
      set(file, name, value, of_launch);
      if (!value)
        return;
      continue;
    }
    free(name);
    note_word(file, word, of_launch, unset);
  }
}

void tutti_import_note_settings(struct import_file *file, const char *line, bool of_launch)
{
  if (of_launch)
    end_launch(&file->settings);
  if (!strstr(line, mca) && !strstr(line, "mca ") && !strstr(line, cvar) && !strcasestr(line, "_algorithm") &&
      !names_rules(line) && !strstr(line, "I_MPI_ADJUST_") && !strstr(line, "MV2_") && !strstr(line, "MVP_"))
    return;
  char *copy = tutti_xstrdup(line);
  split_export(copy);
  note_words(file, copy, of_launch);
  free(copy);
}

void tutti_import_settings_free(struct import_settings *settings)
{
  for (size_t i = 0; i < settings->count; i++)
    clear(&settings->items[i]);
  tutti_vector_free(settings);
}

/* ---- the method ---- */

/* What was said last, on the line of the launch before all others; NULL: nothing was. */
static const struct import_setting *find_said(const struct import_file *file, const char *name)
{
  const struct import_setting *found = find(&file->settings, name, true);
  return found ? found : find(&file->settings, name, false);
}

static const char *find_setting(const char *name, const void *context)
{
  const struct import_file *file = context;
  const struct import_setting *found = find_said(file, name);
  const char *value = found ? found->value : file->how->environment ? getenv(name) : NULL;
  return value && *value ? value : NULL;
}

/* A line FILE:LINE: WHAT, once for each; @p what, which becomes ours, ends it. */
static void note_told(const struct import_file *file, char *what)
{
  char **lines = &file->imported->told;
  if (!*lines || !strstr(*lines, what)) {
    char *longer = tutti_xprintf("%s%s:%zu%s", *lines ? *lines : "", file->name, file->line, what);
    free(*lines);
    *lines = longer;
  }
  free(what);
}

static tutti_status check_mentions(const struct import_file *file, tutti_collective collective, tutti_error *error)
{
  for (size_t i = 0; i < file->settings.count; i++) {
    const struct import_setting *each = &file->settings.items[i];
    if (!each->value && find_said(file, each->name) == each && chooses_for(each->name, collective))
      return tutti_import_fail(file, error,
                               "which method was it? Line %zu mentions %s, and its value, or what it does, is not "
                               "understood: say the method with --as%s",
                               each->line, each->name,
                               is_read(each->name) ? ", or write the setting above the times as NAME=VALUE" : "");
  }
  return TUTTI_OK;
}

/* ---- settings that are not understood ---- */

static tutti_status check_foreign(const struct import_file *file, tutti_collective collective, const char *name,
                                  tutti_error *error)
{
  const char *value = is_foreign(name) && collective_named(name) == collective ? find_setting(name, file) : NULL;
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

/* ---- under a tuning file ---- */

static int compare_words(const void *left, const void *right)
{
  return strcmp(*(char *const *)left, *(char *const *)right);
}

/* The settings with which the library reads a file, as the store has them: words in alphabetical order; NULL: it reads
   none. *lacking receives a variable that is not set, and without which the file is ignored; else NULL. */
static char *find_tuning(const struct import_file *file, const struct library_variable **lacking)
{
  const tutti_library *library = tutti_library_of(file->how->implementation);
  char *words[LIBRARY_VARIABLES] = {NULL}, *text = tutti_xstrdup("");
  size_t count = 0;
  *lacking = NULL;
  for (const struct library_variable *each = library->variables; each && each->name; each++) {
    const char *value = find_setting(each->name, file);
    bool is_switch = each->tuned && *each->tuned && !each->kept;
    if (is_switch && (!value || strcmp(value, "0") == 0))
      *lacking = each;
    else if (value && count < LIBRARY_VARIABLES)
      words[count++] = tutti_xprintf("%s=%s", each->name, value);
  }
  qsort(words, count, sizeof *words, compare_words);
  for (size_t i = 0; i < count; i++) {
    char *longer = tutti_xprintf("%s%s%s", text, i ? " " : "", words[i]);
    free(words[i]);
    free(text);
    text = longer;
  }
  if (!tutti_untuned_under(library, text))
    return text;
  free(text);
  return NULL;
}

/* Native times under a file. */
static tutti_status note_tuning(const struct import_file *file, char **settings, tutti_error *error)
{
  const struct library_variable *lacking;
  char *text = find_tuning(file, &lacking);
  if (!text || !lacking) {
    if (text)
      note_told(file, tutti_xprintf(": native under a tuning file (%s)\n", text));
    *settings = text;
    return TUTTI_OK;
  }
  tutti_status status =
      tutti_import_fail(file, error,
                        "which method was it? %s is set, but not %s=%s, without which the library ignores it (say it "
                        "with --as)",
                        text, lacking->name, lacking->tuned);
  free(text);
  return status;
}

tutti_status tutti_import_method(struct import_file *file, tutti_collective collective, int ranks, tutti_method *method,
                                 char **settings, tutti_error *error)
{
  const tutti_import_how *how = file->how;
  char name[TUTTI_METHOD_LENGTH];
  tutti_directive told;
  tutti_error reason;
  *settings = NULL;
  for (size_t i = 0; i < how->method_count; i++)
    if (how->methods[i].algorithm->collective == collective) {
      *method = how->methods[i];
      return TUTTI_OK;
    }
  *method = tutti_method_default(tutti_algorithm_find(collective, "native"));
  if (how->implementation == TUTTI_IMPLEMENTATION_TUTTI)
    return TUTTI_OK;
  tutti_status status = check_mentions(file, collective, error);
  if (status != TUTTI_OK)
    return status;
  if (tutti_method_told(collective, how->implementation, how->library, ranks, find_setting, file, method, &told,
                        &reason) != TUTTI_OK)
    return tutti_import_fail(file, error, "which method was it? %s (say it with --as)", reason.message);
  if (!*told.name)
    status = check_all_foreign(file, collective, error);
  if (!*told.name)
    return status == TUTTI_OK ? note_tuning(file, settings, error) : status;
  note_told(file, tutti_xprintf(": %s (%s=%s)\n", tutti_method_format(method, name), told.name, told.value));
  return TUTTI_OK;
}
