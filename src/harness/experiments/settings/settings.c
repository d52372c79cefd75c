#include "harness/experiments/settings/settings.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/machine.h"
#include "base/memory.h"
#include "base/text.h"
#include "decision/libraries/tutti/variables.h"

extern char **environ;

struct setting {
  char *name;
  char *value; /* NULL: a word without a value */
  char *from;  /* as in struct tutti_settings_part */
  char *path;  /* as set, if it is the path of a file; else NULL */
  bool absent; /* the file cannot be read */
};

struct settings {
  TUTTI_VECTOR(struct setting);
  const char *from; /* origin of the settings put now */
};

/* ---- names ---- */

/* Beginnings of names of variables that change times, and the flavor whose library reads them; NULL: all. */
static const struct {
  const char *flavor, *prefix;
} variables[] = {
    {"openmpi", "OMPI_MCA_"}, {"openmpi", "PMIX_MCA_"}, {"openmpi", "PRTE_MCA_"},
    {"mpich", "MPIR_CVAR_"},  {"mpich", "MPIR_PARAM_"}, {"mpich", "MPICH_"},
    {"mpich", "HYDRA_"},      {NULL, "UCX_"},           {NULL, "FI_"},
    {NULL, "PSM2_"},          {NULL, "PSM3_"},          {NULL, "HCOLL_"},
    {NULL, "SHARP_COLL_"},    {NULL, "IBV_"},           {NULL, "MLX5_"},
    {NULL, "OMP_"},           {NULL, "GOMP_"},          {NULL, "KMP_"},
    {NULL, "LD_PRELOAD"},     {NULL, "MALLOC_"},
};

/* Set by launchers and queues anew for every job, or secret. */
static bool is_passed_over(const char *name)
{
  static const char *const parts[] = {"TOKEN",
                                      "SECRET",
                                      "PASSW",
                                      "PASSPHRASE",
                                      "CREDENTIAL",
                                      "COOKIE",
                                      "_AUTH",
                                      "_KEY",
                                      "_URI",
                                      "_JOBID",
                                      "PRECONDITION_TRANSPORTS",
                                      "MCA_ESS",
                                      "ORTE_ESS"};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    if (strcasestr(name, parts[i]))
      return true;
  return false;
}

static bool is_read_by(const char *flavor, const char *name)
{
  for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
    if ((!variables[i].flavor || strcmp(variables[i].flavor, flavor) == 0) &&
        strncmp(name, variables[i].prefix, strlen(variables[i].prefix)) == 0)
      return true;
  return tutti_interposer_reads(name);
}

/* ---- values ---- */

static bool ends_with(const char *name, const char *end)
{
  size_t length = strlen(name), own = strlen(end);
  return length >= own && strcasecmp(name + length - own, end) == 0;
}

bool tutti_settings_names_file(const char *name)
{
  return ends_with(name, "_file") || ends_with(name, "_filename") || ends_with(name, "TUTTI_DECISION");
}

/* Digest of the content of a file; false if it cannot be read. */
static bool digest_file(const char *path, uint64_t *digest)
{
  char *bytes;
  size_t length;
  const bool read = tutti_input_permit_handing_on(path, NULL) == TUTTI_OK &&
                    tutti_input_read(path, TUTTI_INPUT_TEXT, &bytes, &length, NULL) == TUTTI_OK;
  if (read)
    *digest = tutti_digest(bytes, length);
  free(bytes);
  return read;
}

static char *value_of(const char *name, const char *value)
{
  uint64_t digest = 0;
  char text[TUTTI_DIGEST_LENGTH];
  const char *slash = strrchr(value, '/');
  if (tutti_settings_names_file(name) && digest_file(value, &digest))
    return tutti_xprintf("%s@%s", slash ? slash + 1 : value, tutti_digest_format(digest, text));
  return tutti_xstrdup(value);
}

/* The last one counts. */
static void set_setting(struct settings *settings, const char *name, size_t length, const char *value)
{
  char *copy = tutti_xstrndup(name, length);
  size_t at = 0;
  if (is_passed_over(copy)) {
    free(copy);
    return;
  }
  while (at < settings->count && strcmp(settings->items[at].name, copy) != 0)
    at++;
  if (at == settings->count)
    tutti_xpush(settings, (struct setting){.name = copy});
  else {
    free(copy);
    free(settings->items[at].value);
    free(settings->items[at].from);
    free(settings->items[at].path);
  }
  const bool file = value && *value && tutti_settings_names_file(settings->items[at].name);
  settings->items[at].path = file ? tutti_xstrdup(value) : NULL;
  settings->items[at].absent = file && access(value, R_OK) != 0;
  settings->items[at].from = tutti_xstrdup(settings->from);
  settings->items[at].value = value ? value_of(settings->items[at].name, value) : NULL;
}

static void put_prefixed(struct settings *settings, const char *prefix, const char *name, const char *value)
{
  char *whole = tutti_xprintf("%s%s", prefix, name);
  set_setting(settings, whole, strlen(whole), value);
  free(whole);
}

/* ---- variables ---- */

static void put_variables(struct settings *settings, const char *flavor)
{
  for (char **each = environ; *each; each++) {
    const char *equals = strchr(*each, '=');
    char *name = equals ? tutti_xstrndup(*each, (size_t)(equals - *each)) : NULL;
    if (equals && is_read_by(flavor, name))
      set_setting(settings, name, strlen(name), equals + 1);
    free(name);
  }
}

/* ---- parameter files of Open MPI ---- */

static void put_parameter(void *context, const char *path, const char *name, const char *value)
{
  struct settings *settings = context;
  settings->from = path;
  put_prefixed(settings, "OMPI_MCA_", name, value);
}

/* ---- arguments ---- */

/* Options followed by a name and a value, and the prefix of the name as a variable. */
static const char *pair_prefix(const char *option)
{
  static const char *const pairs[][2] = {{"mca", "OMPI_MCA_"},
                                         {"gmca", "OMPI_MCA_"},
                                         {"omca", "OMPI_MCA_"},
                                         {"prtemca", "PRTE_MCA_"},
                                         {"pmixmca", "PMIX_MCA_"},
                                         {"genv", ""},
                                         {"env", ""}};
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
    if (strcmp(option, pairs[i][0]) == 0)
      return pairs[i][1];
  return NULL;
}

/* -x NAME=VALUE, or NAME, as it is in this process. */
static void put_exported(struct settings *settings, const char *word)
{
  const char *equals = strchr(word, '='), *own = equals ? NULL : getenv(word);
  if (equals)
    set_setting(settings, word, (size_t)(equals - word), equals + 1);
  else if (own)
    set_setting(settings, word, strlen(word), own);
}

/* An option of the launcher with the words after it that are not options; returns the number of words. */
static int put_option(struct settings *settings, char *const *words)
{
  int count = 1;
  struct tutti_text_stream value;
  tutti_xopen_text(&value);
  for (; words[count] && *words[count] != '-'; count++)
    fprintf(value.stream, "%s%s", count > 1 ? "," : "", words[count]);
  char *text = tutti_xclose_text(&value);
  set_setting(settings, words[0], strlen(words[0]), count > 1 ? text : NULL);
  free(text);
  return count;
}

static void put_arguments(struct settings *settings, char *const *words)
{
  while (*words) {
    const char *option = **words == '-' ? *words + strspn(*words, "-") : "", *prefix = pair_prefix(option);
    if (prefix && words[1] && words[2]) {
      put_prefixed(settings, prefix, words[1], words[2]);
      words += 3;
    } else if (strcmp(option, "x") == 0 && words[1]) {
      put_exported(settings, words[1]);
      words += 2;
    } else
      words += put_option(settings, words);
  }
}

/* ---- where jobs run ---- */

char *tutti_slurm_option(const char *options, const char *letter, const char *name)
{
  char *copy = tutti_xstrdup(options), *rest = NULL, *found = NULL;
  for (char *word = strtok_r(copy, " \t", &rest); word; word = strtok_r(NULL, " \t", &rest)) {
    const char *value = tutti_word_value(word, name);
    if (strcmp(word, name) == 0 || (letter && strcmp(word, letter) == 0))
      value = strtok_r(NULL, " \t", &rest);
    else if (!value && letter && strncmp(word, letter, strlen(letter)) == 0)
      value = word + strlen(letter);
    if (!value)
      continue;
    free(found);
    found = tutti_xstrdup(value);
  }
  free(copy);
  return found;
}

/* Put the options for sbatch that choose nodes; others concern the time limit or the account. */
static void put_queue(struct settings *settings, const char *options)
{
  static const char *const names[][2] = {{"-p", "--partition"}, {"-C", "--constraint"}, {"-w", "--nodelist"}};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    char *value = tutti_slurm_option(options, names[i][0], names[i][1]);
    if (value)
      set_setting(settings, names[i][1], strlen(names[i][1]), value);
    free(value);
  }
}

/* The parent of tutti may have bound it to processors, and with it all that it starts. */
static void put_affinity(struct settings *settings)
{
  uint64_t processors[TUTTI_PROCESSORS_WORDS];
  char text[TUTTI_DIGEST_LENGTH];
  int count = tutti_machine_affinity(processors);
  if (count == 0 || count >= tutti_machine_cores())
    return;
  char *value = tutti_xprintf("%d@%s", count, tutti_digest_format(tutti_digest(processors, sizeof processors), text));
  set_setting(settings, "processors", strlen("processors"), value);
  free(value);
}

/* ---- the text ---- */

static int compare(const void *left, const void *right)
{
  return strcmp(((const struct setting *)left)->name, ((const struct setting *)right)->name);
}

static void write_escaped(FILE *stream, const char *text)
{
  for (; *text; text++)
    if (*text > ' ' && *text <= '~' && *text != '%')
      fputc(*text, stream);
    else
      fprintf(stream, "%%%02X", (unsigned char)*text);
}

/* @p from: only settings of that origin, for people, with the paths of files; NULL: all, with digests of files. */
static char *write_text(struct settings *settings, const char *from)
{
  struct tutti_text_stream text;
  tutti_vector_sort(settings, compare);
  tutti_xopen_text(&text);
  for (size_t i = 0; i < settings->count; i++) {
    if (from && strcmp(settings->items[i].from, from) != 0)
      continue;
    fputs(ftell(text.stream) > 0 ? " " : "", text.stream);
    write_escaped(text.stream, settings->items[i].name);
    if (settings->items[i].value) {
      fputc('=', text.stream);
      write_escaped(text.stream, from && settings->items[i].path ? settings->items[i].path : settings->items[i].value);
    }
  }
  return tutti_xclose_text(&text);
}

/* A text that is too long becomes one word. */
static char *shorten(char *text)
{
  char digest[TUTTI_DIGEST_LENGTH];
  size_t length = strlen(text), kept = TUTTI_SETTINGS_LENGTH - sizeof " more=" - TUTTI_DIGEST_LENGTH;
  if (length < TUTTI_SETTINGS_LENGTH)
    return text;
  while (text[kept] != ' ' && kept > 0)
    kept--;
  char *shorter = tutti_xprintf("%.*s%smore=%s", (int)kept, text, kept ? " " : "",
                                tutti_digest_format(tutti_digest(text, length), digest));
  free(text);
  return shorter;
}

static void gather(struct settings *settings, const char *flavor, const char *launcher, char *const *arguments,
                   const tutti_launch_options *launch)
{
  if (tutti_flavor_is_simulated(flavor))
    return;
  if (strcmp(flavor, "openmpi") == 0)
    tutti_mca_files(launcher, put_parameter, settings);
  settings->from = "the environment";
  put_variables(settings, flavor);
  settings->from = "the command line";
  if (arguments)
    put_arguments(settings, arguments);
  if (launch && launch->slurm_options)
    put_queue(settings, launch->slurm_options);
  settings->from = "the binding of this process";
  put_affinity(settings);
}

static void free_settings(struct settings *settings)
{
  for (size_t i = 0; i < settings->count; i++) {
    free(settings->items[i].name);
    free(settings->items[i].value);
    free(settings->items[i].from);
    free(settings->items[i].path);
  }
  tutti_vector_free(settings);
}

char *tutti_settings_collect(const char *flavor, const char *launcher, char *const *arguments,
                             const tutti_launch_options *launch)
{
  struct settings settings = {0};
  gather(&settings, flavor, launcher, arguments, launch);
  char *text = write_text(&settings, NULL);
  free_settings(&settings);
  return shorten(text);
}

size_t tutti_settings_parts(const char *flavor, const char *launcher,
                            struct tutti_settings_part parts[TUTTI_SETTINGS_PARTS])
{
  struct settings settings = {0};
  size_t count = 0;
  gather(&settings, flavor, launcher, NULL, NULL);
  for (size_t i = 0; i < settings.count; i++) {
    const char *from = settings.items[i].from;
    size_t at = 0;
    while (at < count && strcmp(parts[at].from, from) != 0)
      at++;
    if (at == count && count < TUTTI_SETTINGS_PARTS)
      parts[count++].from = tutti_xstrdup(from);
  }
  for (size_t i = 0; i < count; i++)
    parts[i].text = write_text(&settings, parts[i].from);
  free_settings(&settings);
  return count;
}

char *tutti_settings_ignored_file(const char *flavor, const char *launcher, char *const *arguments)
{
  struct settings settings = {0};
  char *text = NULL;
  gather(&settings, flavor, launcher, arguments, NULL);
  for (size_t i = 0; i < settings.count; i++) {
    const struct setting *each = &settings.items[i];
    if (each->absent && strcmp(each->name, "OMPI_MCA_coll_tuned_dynamic_rules_filename") == 0)
      text = tutti_xprintf("%s of %s names %s, which cannot be read: Open MPI says nothing and goes on without rules",
                           each->name, each->from, each->path);
  }
  free_settings(&settings);
  return text;
}

char *tutti_settings_hosts(char *const *names, size_t count, char *digest)
{
  char own[TUTTI_MACHINE_WORD], *const one[] = {tutti_machine_host(own)};
  if (count == 0)
    return tutti_settings_hosts(one, 1, digest);
  uint64_t *digests = tutti_xcalloc(count, sizeof *digests);
  for (size_t i = 0; i < count; i++)
    digests[i] = tutti_digest(names[i], strlen(names[i]));
  tutti_digest_format(tutti_digest_set(digests, count), digest);
  free(digests);
  return digest;
}
