/*
 * fuzz-readers: mutated files through the readers of everything that Tutti reads.
 *
 * A text is made from a seed by a number: --kind, --seed, --first N --count 1 make it again. Each is fed to its reader
 * in a process that is watched: the reader returns in time, no sanitizer complains, what is refused is refused with a
 * message that names the file, what is read can be used, and nothing leaks.
 */
#include <getopt.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "watch.h"

static const fuzz_kind kinds[] = {
    {"arff", {"tests/fuzz/seeds/*.arff"}, .feed = fuzz_feed_arff},
    {"c45", {"tests/fuzz/seeds/*.c45"}, .feed = fuzz_feed_c45},
    {"classifier", {"tests/fuzz/seeds/*.tree"}, .feed = fuzz_feed_classifier},
    {"decision",
     {"tests/fuzz/seeds/*.decision", "tests/fuzz/seeds/*.rules", "experiments/*.txt"},
     .feed = fuzz_feed_decision},
    {"baseline", {"tests/fuzz/seeds/*.baseline"}, .feed = fuzz_feed_baseline},
    {"rules", {"tests/fuzz/seeds/*.rules", "experiments/*.txt"}, .feed = fuzz_feed_rules},
    {"experiment", {"tests/fuzz/seeds/experiment*.xml", "experiments/[!l]*.xml"}, .feed = fuzz_feed_experiment},
    {"platform", {"tests/fuzz/seeds/platform*.xml", "platforms/[cfg]*.xml"}, .feed = fuzz_feed_platform},
    {"expression", {"tests/fuzz/seeds/*.expression"}, .feed = fuzz_feed_expression},
    {"method", {"tests/fuzz/seeds/*.method"}, .feed = fuzz_feed_method},
    {"record", {"tests/fuzz/seeds/*.record"}, .feed = fuzz_feed_record},
    {"points", {"tests/fuzz/seeds/*.points"}, .feed = fuzz_feed_points},
    {"import", {"tests/import/[ir]*.txt", "tests/import/osu_[!i]*.txt"}, .feed = fuzz_feed_import},
    {"lint", {"tests/fuzz/seeds/*.tuning", "tests/fuzz/seeds/*.rules"}, .feed = fuzz_feed_lint},
    {"map", .feed = fuzz_feed_map, .make = fuzz_make_maps},
};

enum { KINDS = sizeof kinds / sizeof *kinds };

static const char usage[] =
    "usage: fuzz-readers [--kind KIND] [--count N] [--seed S] [--first I] [--seconds S] [--keep FOLDER] [--source "
    "FOLDER]\n"
    "  --kind     of files (default: all)\n"
    "  --count    texts of each kind (default 1000)\n"
    "  --seed     of the mutations (default 1)\n"
    "  --first    number of the first text (default 0)\n"
    "  --seconds  of processor time that a text may take (default 10)\n"
    "  --keep     folder, which is there, for texts that failed\n"
    "  --source   source tree, with the seeds\n"
    "kinds:";

struct options {
  const char *kind, *source, *keep;
  uint64_t seed, first, count;
  unsigned seconds;
};

static _Noreturn void misuse(void)
{
  fputs(usage, stderr);
  for (int k = 0; k < KINDS; k++)
    fprintf(stderr, " %s", kinds[k].name);
  fputc('\n', stderr);
  exit(2);
}

static uint64_t number(const char *text)
{
  char *end;
  unsigned long long value = strtoull(text, &end, 10);
  if (end == text || *end)
    misuse();
  return value;
}

static struct options parse(int argc, char **argv)
{
  static const struct option known[] = {{"kind", 1, NULL, 'k'},    {"count", 1, NULL, 'n'}, {"seed", 1, NULL, 's'},
                                        {"first", 1, NULL, 'f'},   {"keep", 1, NULL, 'd'},  {"source", 1, NULL, 'S'},
                                        {"seconds", 1, NULL, 't'}, {NULL, 0, NULL, 0}};
  struct options options = {.source = TUTTI_SOURCE_DIR, .seed = 1, .count = 1000, .seconds = 10};
  for (int option; (option = getopt_long(argc, argv, "", known, NULL)) != -1;)
    switch (option) {
    case 'k':
      options.kind = optarg;
      break;
    case 'n':
      options.count = number(optarg);
      break;
    case 's':
      options.seed = number(optarg);
      break;
    case 'f':
      options.first = number(optarg);
      break;
    case 't':
      options.seconds = (unsigned)number(optarg);
      break;
    case 'd':
      options.keep = optarg;
      break;
    case 'S':
      options.source = optarg;
      break;
    default:
      misuse();
    }
  if (optind < argc)
    misuse();
  return options;
}

static void add_seeds(const char *source, const char *pattern, fuzz_seeds *seeds)
{
  glob_t found;
  char *path;
  if (asprintf(&path, "%s/%s", source, pattern) < 0)
    abort();
  if (glob(path, 0, NULL, &found) == 0) {
    seeds->texts = reallocarray(seeds->texts, seeds->count + found.gl_pathc, sizeof *seeds->texts);
    for (size_t i = 0; seeds->texts && i < found.gl_pathc; i++) {
      seeds->texts[seeds->count] = fuzz_text_create();
      if (!fuzz_text_read(&seeds->texts[seeds->count++], found.gl_pathv[i]))
        abort();
    }
    globfree(&found);
  }
  free(path);
}

static fuzz_seeds read_seeds(const char *source, const fuzz_kind *kind)
{
  fuzz_seeds seeds = {.count = 0};
  for (int p = 0; p < 3 && kind->seeds[p]; p++)
    add_seeds(source, kind->seeds[p], &seeds);
  if (kind->make)
    kind->make(&seeds);
  if (seeds.count == 0) {
    fprintf(stderr, "fuzz-readers: no seeds like %s/%s\n", source, kind->seeds[0] ? kind->seeds[0] : kind->name);
    exit(2);
  }
  return seeds;
}

static void free_seeds(fuzz_seeds *seeds)
{
  for (size_t i = 0; i < seeds->count; i++)
    fuzz_text_free(&seeds->texts[i]);
  free(seeds->texts);
}

static uint64_t run_kind(const struct options *options, const fuzz_kind *kind, const char *folder)
{
  fuzz_seeds seeds = read_seeds(options->source, kind);
  fuzz_run run = {kind, &seeds, options->seed, options->first, options->count, options->seconds, folder, options->keep};
  fuzz_report report = fuzz_watch(&run);
  printf("%-12s %10llu %10llu %10llu %10.1f\n", kind->name, (unsigned long long)report.read,
         (unsigned long long)report.refused, (unsigned long long)report.failed, report.seconds);
  fflush(stdout);
  free_seeds(&seeds);
  return report.failed;
}

static char *make_folder(void)
{
  const char *parent = getenv("TMPDIR");
  char *folder;
  if (asprintf(&folder, "%s/tutti-fuzz-XXXXXX", parent && *parent ? parent : "/tmp") < 0 || !mkdtemp(folder)) {
    perror("fuzz-readers: a folder for files");
    exit(2);
  }
  return folder;
}

static void remove_folder(char *folder)
{
  static const char *const names[] = {"input.arff", "input.names", "input.data", "input.decision", "input.xml",
                                      "back.arff",  "back.names",  "back.data",  "back.decision"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    char *path;
    if (asprintf(&path, "%s/%s", folder, names[i]) < 0)
      abort();
    unlink(path);
    free(path);
  }
  rmdir(folder);
  free(folder);
}

/* Experiments name their platforms. */
static void set_platforms(const char *source)
{
  char *path;
  if (asprintf(&path, "%s/platforms", source) < 0 || setenv("TUTTI_PLATFORM_PATH", path, 1) != 0)
    abort();
  free(path);
}

int main(int argc, char **argv)
{
  struct options options = parse(argc, argv);
  uint64_t failed = 0;
  int fed = 0;
  char *folder = make_folder();
  set_platforms(options.source);
  printf("%-12s %10s %10s %10s %10s\n", "kind", "read", "refused", "failed", "seconds");
  fflush(stdout);
  for (int k = 0; k < KINDS; k++)
    if (!options.kind || strcmp(options.kind, kinds[k].name) == 0) {
      failed += run_kind(&options, &kinds[k], folder);
      fed++;
    }
  remove_folder(folder);
  if (fed == 0)
    misuse();
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
