/* The algorithms that a command line names: a source that is compiled, a plug-in that is loaded, or a method. */
#include <errno.h>
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/process.h"
#include "cli/command.h"
#include "cli/place/place.h"
#include "cli/subcommand.h"
#include "tutti/plugin.h"

/* ---- compiling, as the Makefile of tutti new algorithm does ---- */

/* The words of an environment variable of make, or the usual ones. */
static void add_words(struct subcommand *words, const char *variable, const char *usual)
{
  const char *given = getenv(variable);
  char *copy = tutti_xstrdup(given ? given : usual), *rest = copy;
  for (char *word; (word = strsep(&rest, " \t\n"));)
    if (*word)
      subcommand_add(words, word);
  free(copy);
}

/* A word that the compiler does not take for an option. */
static char *path_word(const char *path)
{
  return tutti_xprintf("%s%s", *path == '-' ? "./" : "", path);
}

/* The command of that Makefile, in the same folder, to the byte: times are kept by a hash of the object, which has the
   words in what is for the debugger. */
static struct subcommand make_command(const char *base)
{
  struct subcommand words = {0};
  char *self = tutti_self_directory(), *path = path_word(base);
  add_words(&words, "CC", "cc");
  if (words.count == 0)
    die("CC names no compiler");
  add_words(&words, "CPPFLAGS", "");
  subcommand_add_format(&words, "-I%s/../include", self ? self : "");
  add_words(&words, "CFLAGS", "-O2 -g -Wall -Wextra");
  subcommand_add(&words, "-fPIC");
  subcommand_add(&words, "-shared");
  subcommand_add(&words, "-o");
  subcommand_add_format(&words, "%.*s.so", (int)tutti_stem_length(path, ".c"), path);
  subcommand_add(&words, path);
  free(self);
  free(path);
  return words;
}

/* FILE.so beside FILE.c; owned by the caller. */
static char *compile(const char *source)
{
  const char *slash = strrchr(source, '/'), *base = slash ? slash + 1 : source;
  if (access(source, R_OK) != 0)
    die("%s: there is no such file", source);
  char *folder = slash ? tutti_xstrndup(source, (size_t)(base - source)) : tutti_xstrdup(".");
  struct subcommand words = make_command(base);
  char *said, *trouble = subcommand_compile(&words, folder, &said);
  fputs(said, stderr);
  if (trouble)
    die("%s: %s (CC, CPPFLAGS and CFLAGS are those of make)", source, trouble);
  subcommand_free(&words);
  free(said);
  free(folder);
  return tutti_xprintf("%.*s.so", (int)tutti_stem_length(source, ".c"), source);
}

/* ---- which algorithms ---- */

static void add_plugin(struct place *place, const char *path)
{
  uint64_t code;
  char *absolute = realpath(path, NULL);
  must(plugin_load(path, &failure));
  for (size_t i = 0; i < tutti_algorithm_count(); i++) {
    const tutti_algorithm *algorithm = tutti_algorithm_at(i);
    const char *file = tutti_algorithm_plugin_file(algorithm, &code);
    if (!file || !absolute || strcmp(file, absolute) != 0)
      continue;
    struct placed placed = {.method = tutti_method_default(algorithm), .any = true, .gain = NAN};
    tutti_method_format(&placed.method, placed.name);
    tutti_xpush(place, placed);
  }
  free(absolute);
}

static void add_method(struct place *place, const char *text)
{
  struct placed placed = {.gain = NAN};
  const char *slash = strchr(text, '/');
  if (!slash || access(text, F_OK) == 0)
    die("'%.100s' is none of FILE.c, FILE.so, FILE.xml and COLLECTIVE/ALGORITHM", text);
  must(tutti_method_parse(text, &placed.method, &failure));
  if (tutti_method_is_native(&placed.method) || placed.method.implementation != TUTTI_IMPLEMENTATION_TUTTI)
    die("%s is code of a library, which no proof and no simulation by the engines of Tutti know", text);
  placed.any = !strchr(slash + 1, '/');
  tutti_method_format(&placed.method, placed.name);
  tutti_xpush(place, placed);
}

/* "PREFIX-allreduce-mine": a name of an algorithm has no other sign that file names should not have. */
static char *append_name(const char *prefix, const char *name)
{
  char *whole = tutti_xprintf("%s-%s", prefix, name);
  for (char *c = whole + strlen(prefix); *c; c++)
    *c = *c == '/' || *c == '=' || *c == ':' ? '-' : *c;
  return whole;
}

char *place_prefix_of(const struct place *place, const char *prefix, size_t index)
{
  return place->count == 1 ? tutti_xstrdup(prefix) : append_name(prefix, place->items[index].name);
}

/* A folder in which files can be made; what is said of it now would else be said after a minute of measuring. */
static void check_folder(const char *prefix)
{
  const char *slash = strrchr(prefix, '/');
  char *folder = slash ? tutti_xstrndup(prefix, (size_t)(slash - prefix) + 1) : tutti_xstrdup(".");
  if (access(folder, W_OK | X_OK) != 0)
    die("--output: %s: %s", folder, strerror(errno));
  free(folder);
}

/* That of --output, within it if it is a folder, or of the name of the first algorithm. */
static char *find_prefix(const struct place *place)
{
  const char *given = place->options->prefix;
  struct stat there;
  char *name = append_name("place", place->items[0].name);
  if (!given)
    return name;
  if (!*given)
    die("--output: which name?");
  const bool is_there = stat(given, &there) == 0, folder = is_there && S_ISDIR(there.st_mode);
  if (is_there && !folder && !S_ISREG(there.st_mode))
    die("--output: %s is neither a folder nor the beginning of names of files", given);
  char *prefix =
      folder ? tutti_xprintf("%s%s%s", given, given[strlen(given) - 1] == '/' ? "" : "/", name) : tutti_xstrdup(given);
  free(name);
  check_folder(prefix);
  return prefix;
}

void place_read_subject(struct place *place)
{
  const char *subject = place->options->subject;
  if (tutti_stem_length(subject, ".c") > 0) {
    char *object = compile(subject);
    add_plugin(place, object);
    free(object);
  } else if (tutti_stem_length(subject, ".so") > 0 || tutti_stem_length(subject, ".xml") > 0)
    add_plugin(place, subject);
  else
    add_method(place, subject);
  place->prefix = find_prefix(place);
  place->database =
      place->options->database ? tutti_xstrdup(place->options->database) : tutti_xprintf("%s.db", place->prefix);
}
