/* Importing: the settings of the library. Logs of jobs have them above the times:
 *
 *     + export OMPI_MCA_coll_tuned_use_dynamic_rules=1                 until it is set to something else
 *     + mpirun --mca coll_tuned_bcast_algorithm 6 -np 64 ./osu_bcast   until the next line that starts ranks
 *     + srun --export=ALL,OMPI_MCA_coll_tuned_bcast_algorithm=6 -n 64 ./osu_bcast
 *     + mpiexec -genv MPIR_CVAR_BCAST_INTRA_ALGORITHM binomial -n 64 ./osu_bcast
 *
 * A name that chooses algorithms, or a file that does, and whose value cannot be parsed, is noted without a value:
 * times that it may have changed are refused. For libraries made from MPICH that have settings of their own, only their
 * collective is known.
 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/index.h"
#include "base/words.h"
#include "harness/store/import_file.h"

static const char tuned[] = "coll_tuned_", mca[] = "OMPI_MCA_coll", cvar[] = "MPIR_CVAR_";

static bool begins(const char *text, const char *with)
{
  return strncmp(text, with, strlen(with)) == 0;
}

/* ---- names ---- */

/* Whether the setting names a file with rules of any library. */
static bool names_rules(const char *name)
{
  return strcasestr(name, "rules_filename") || strcasestr(name, "TUNING_JSON_FILE");
}

/* Whether the setting chooses algorithms in any library. */
static bool chooses(const char *name)
{
  static const char ending[] = "_algorithm";
  const size_t length = strlen(name), end = strlen(ending);
  return names_rules(name) || (length > end && strcasecmp(name + length - end, ending) == 0);
}

/* The collective in a name, such as "I_MPI_ADJUST_REDUCE_SCATTER", or TUTTI_COLL_COUNT. */
tutti_collective tutti_import_collective_named(const char *name)
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

/* Settings of Intel MPI and MVAPICH. */
static bool is_foreign(const char *name)
{
  return begins(name, "I_MPI_ADJUST_") || begins(name, "MV2_") || begins(name, "MVP_");
}

bool tutti_import_is_foreign_choice(const char *name, const char *value)
{
  return value && *value && is_foreign(name) && !tutti_word_is_listed("0 auto", ' ', value);
}

/* The variables whose values are read: those of coll/tuned and the choice of components, and of MPICH; others that
   choose algorithms (coll/han, hcoll) are not followed, but those that choose between components keep times apart. */
bool tutti_import_reads_setting(const char *name)
{
  return begins(name, "OMPI_MCA_coll_tuned_") || begins(name, cvar) ||
         (tutti_import_is_component(name) && !chooses(name)) || (begins(name, "MPI") && names_rules(name)) ||
         is_foreign(name) || strcmp(name, "NCCL_ALGO") == 0 || strcmp(name, "NCCL_PROTO") == 0;
}

/* ---- lines ---- */

static void clear(struct import_setting *setting)
{
  free(setting->name);
  free(setting->value);
}

static const struct import_setting *find(const struct import_setting_list *list, const char *name)
{
  const size_t number = tutti_index_find(&list->index, name);
  return number ? &list->items[number - 1] : NULL;
}

const struct import_setting *tutti_import_find_setting(const struct import_settings *settings, const char *name)
{
  const struct import_setting *found = find(&settings->of_launch, name);
  return found ? found : find(&settings->lasting, name);
}

/* Count the current setting of a name by the collectives that it may affect. */
static void count(struct import_settings *settings, const char *name, int by)
{
  const struct import_setting *said = tutti_import_find_setting(settings, name);
  if (said && !said->value)
    settings->mentions[names_rules(name) ? TUTTI_COLL_COUNT : tutti_import_collective_named(name)] += by;
  else if (said && tutti_import_is_foreign_choice(name, said->value))
    settings->foreign[tutti_import_collective_named(name)] += by;
}

/* A mention without a value (NULL) adds nothing to a known value. Takes ownership of @p name. */
static void set_setting(struct import_file *file, char *name, const char *value, bool of_launch)
{
  struct import_settings *settings = &file->settings;
  struct import_setting_list *list = of_launch ? &settings->of_launch : &settings->lasting;
  value = of_launch && file->launch.several ? NULL : value;
  if (!value && tutti_import_find_setting(settings, name)) {
    free(name);
    return;
  }
  settings->changes++;
  count(settings, name, -1);
  const struct import_setting made = {name, value ? tutti_xstrdup(value) : NULL, file->line};
  size_t *number = tutti_index_number(&list->index, name);
  if (*number) {
    clear(&list->items[*number - 1]);
    list->items[*number - 1] = made;
  } else {
    tutti_xpush(list, made);
    *number = list->count;
    tutti_import_note_component(settings, name);
  }
  count(settings, name, 1);
}

static void clear_list(struct import_setting_list *list)
{
  for (size_t i = 0; i < list->count; i++)
    clear(&list->items[i]);
  tutti_vector_free(list);
  tutti_index_free(&list->index);
}

static void end_launch(struct import_settings *settings)
{
  struct import_setting_list ended = settings->of_launch;
  settings->changes++;
  for (size_t i = 0; i < ended.count; i++)
    count(settings, ended.items[i].name, -1);
  settings->of_launch = (struct import_setting_list){.items = NULL};
  for (size_t i = 0; i < ended.count; i++)
    count(settings, ended.items[i].name, 1);
  clear_list(&ended);
}

static bool may_choose(const struct import_setting *setting, bool foreign, tutti_collective collective)
{
  const tutti_collective named = tutti_import_collective_named(setting->name);
  if (foreign)
    return named == collective && tutti_import_is_foreign_choice(setting->name, setting->value);
  return !setting->value && (names_rules(setting->name) || named == TUTTI_COLL_COUNT || named == collective);
}

const struct import_setting *tutti_import_find_choice(const struct import_settings *settings, bool foreign,
                                                      tutti_collective collective)
{
  const struct import_setting_list *lists[] = {&settings->lasting, &settings->of_launch};
  if (foreign ? !settings->foreign[collective]
              : !settings->mentions[collective] && !settings->mentions[TUTTI_COLL_COUNT])
    return NULL;
  for (int l = 0; l < 2; l++)
    for (size_t i = 0; i < lists[l]->count; i++) {
      const struct import_setting *each = &lists[l]->items[i];
      if (may_choose(each, foreign, collective) && tutti_import_find_setting(settings, each->name) == each)
        return each;
    }
  return NULL;
}

const struct import_setting *tutti_import_find_forced(const struct import_settings *settings,
                                                      tutti_collective collective)
{
  for (size_t i = 0; i < settings->of_launch.count; i++) {
    const struct import_setting *each = &settings->of_launch.items[i];
    if (each->value && chooses(each->name) && !names_rules(each->name) &&
        tutti_import_collective_named(each->name) == collective && strcmp(each->value, "0") != 0)
      return each;
  }
  return NULL;
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
    if (tutti_import_reads_setting(name) && word[length] == '=') {
      set_setting(file, name, word + length + 1, of_launch);
      return;
    }
    if (tutti_import_reads_setting(name) && unset)
      set_setting(file, name, "", of_launch);
    else if (chooses(name))
      set_setting(file, name, NULL, of_launch);
    else
      free(name);
  }
}

/* --tune FILE and --am FILE of Open MPI's mpirun: parameters that are not seen, by the names that they set. */
static void note_files(struct import_file *file, const char *option, const char *path, bool of_launch)
{
  const char *name = tutti_word_is_listed("--tune -tune", ' ', option) ? "envar" : "param";
  if (of_launch && tutti_word_is_listed("--tune -tune --am -am", ' ', option))
    set_setting(file, tutti_xprintf("OMPI_MCA_mca_base_%s_file_prefix", name), path, true);
}

/* NAME=VALUE; --mca NAME VALUE; -genv NAME VALUE; unset NAME. Values are written without blanks. */
static void note_words(struct import_file *file, char *line, bool of_launch)
{
  static const char blanks[] = " \t\r;";
  char *state = NULL;
  bool unset = false;
  for (char *word = strtok_r(line, blanks, &state), *before = (char *)""; word;
       before = word, word = strtok_r(NULL, blanks, &state)) {
    const bool of_mca = tutti_word_is_listed("--mca -mca --gmca -gmca", ' ', before);
    unset = unset || strncmp(word, "unset", strlen("unset")) == 0;
    char *name = tutti_xprintf("%s%s", of_mca ? "OMPI_MCA_" : "", word);
    note_files(file, before, word, of_launch);
    if (tutti_import_reads_setting(name) && !strchr(name, '=') &&
        (of_mca || tutti_word_is_listed("-genv -env setenv", ' ', before))) {
      const char *value = strtok_r(NULL, blanks, &state);
      set_setting(file, name, value, of_launch);
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
  if (!strstr(line, mca) && !strstr(line, "mca ") && !strstr(line, "tune ") && !strstr(line, "am ") &&
      !strstr(line, "OMPI_MCA_mca_base") && !strstr(line, cvar) && !strcasestr(line, "_algorithm") &&
      !names_rules(line) && !strstr(line, "I_MPI_ADJUST_") && !strstr(line, "MV2_") && !strstr(line, "MVP_") &&
      !strstr(line, "NCCL_") && !strstr(line, "UCC_") && !strstr(line, "HCOLL_"))
    return;
  char *copy = tutti_xstrdup(line), *end = copy;
  for (const char *at = copy; *at; at++)
    if (!strchr("\"'", *at))
      *end++ = *at;
  *end = '\0';
  split_export(copy);
  note_words(file, copy, of_launch);
  free(copy);
}

void tutti_import_settings_free(struct import_settings *settings)
{
  clear_list(&settings->lasting);
  clear_list(&settings->of_launch);
  tutti_import_names_free(&settings->components);
}
