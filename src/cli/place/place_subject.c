/* The algorithms that a command line names: a source that is compiled, a plug-in that is loaded, or a method. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/process.h"
#include "cli/command.h"
#include "cli/place/place.h"
#include "tutti/plugin.h"

/* ---- compiling, as the Makefile of tutti new algorithm does ---- */

struct words {
  TUTTI_VECTOR(char *);
};

/* The words of an environment variable of make, or the usual ones. */
static void add_words(struct words *words, const char *variable, const char *usual)
{
  const char *given = getenv(variable);
  char *copy = tutti_xstrdup(given ? given : usual), *rest = copy;
  for (char *word; (word = strsep(&rest, " \t\n"));)
    if (*word)
      tutti_xpush(words, tutti_xstrdup(word));
  free(copy);
}

/* A word that the compiler does not take for an option. */
static char *path_word(const char *path)
{
  return tutti_xprintf("%s%s", *path == '-' ? "./" : "", path);
}

static void run_compiler(struct words *words, const char *source, const char *folder)
{
  pid_t child;
  const int directory = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (directory < 0)
    die("%s: %s", folder, strerror(errno));
  tutti_xpush(words, NULL);
  const struct tutti_command command = {
      .arguments = words->items, .directory = directory, .output = STDERR_FILENO, .errors = -1};
  must(tutti_process_start(&command, &child, &failure));
  close(directory);
  if (tutti_process_wait(child) != 0)
    die("%s: %s does not compile it (CC, CPPFLAGS and CFLAGS are those of make)", source, words->items[0]);
}

static void free_words(struct words *words)
{
  for (size_t i = 0; i < words->count; i++)
    free(words->items[i]);
  tutti_vector_free(words);
}

/* The command of that Makefile, in the same folder, to the byte: times are kept by a hash of the object, which has the
   words in what is for the debugger. */
static struct words make_command(const char *base)
{
  struct words words = {0};
  char *self = tutti_self_directory(), *path = path_word(base);
  add_words(&words, "CC", "cc");
  if (words.count == 0)
    die("CC names no compiler");
  add_words(&words, "CPPFLAGS", "");
  tutti_xpush(&words, tutti_xprintf("-I%s/../include", self ? self : ""));
  add_words(&words, "CFLAGS", "-O2 -g -Wall -Wextra");
  tutti_xpush(&words, tutti_xstrdup("-fPIC"));
  tutti_xpush(&words, tutti_xstrdup("-shared"));
  tutti_xpush(&words, tutti_xstrdup("-o"));
  tutti_xpush(&words, tutti_xprintf("%.*s.so", (int)tutti_stem_length(path, ".c"), path));
  tutti_xpush(&words, path);
  free(self);
  return words;
}

/* FILE.so beside FILE.c; owned by the caller. */
static char *compile(const char *source)
{
  const char *slash = strrchr(source, '/'), *base = slash ? slash + 1 : source;
  if (access(source, R_OK) != 0)
    die("%s: there is no such file", source);
  char *folder = slash ? tutti_xstrndup(source, (size_t)(base - source)) : tutti_xstrdup(".");
  struct words words = make_command(base);
  run_compiler(&words, source, folder);
  free_words(&words);
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
