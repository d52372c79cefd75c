/*
 * fuzz-readers: mutated files through the readers of everything that Tutti reads.
 *
 * A text is made from a seed by a number: --kind, --seed, --first N --count 1 make it again. Each is fed to its reader
 * in a process that is watched: the reader returns in time, no sanitizer complains, what is refused is refused with a
 * message that names the file, what is read can be used, and nothing leaks.
 */
#include <getopt.h>

#include "watch.h"

static const char usage[] =
    "usage: fuzz-readers [--kind KIND] [--count N] [--seed S] [--first I] [--seconds S] [--keep FOLDER] [--source "
    "FOLDER]\n"
    "       fuzz-readers --kind KIND --write-seeds FOLDER\n"
    "  --kind     of files (default: all)\n"
    "  --count    texts of each kind (default 1000)\n"
    "  --seed     of the mutations (default 1)\n"
    "  --first    number of the first text (default 0)\n"
    "  --seconds  of processor time that a text may take (default 10)\n"
    "  --keep     folder, which is there, for texts that failed\n"
    "  --write-seeds  do nothing but write the seeds into the folder, which is there\n"
    "  --source   source tree, with the seeds\n"
    "kinds:";

struct options {
  const char *kind, *source, *keep, *seeds;
  uint64_t seed, first, count;
  unsigned seconds;
};

static _Noreturn void misuse(void)
{
  fputs(usage, stderr);
  for (const fuzz_kind *kind = fuzz_kinds; kind->name; kind++)
    fprintf(stderr, " %s", kind->name);
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
  static const struct option known[] = {
      {"kind", 1, NULL, 'k'},    {"count", 1, NULL, 'n'},       {"seed", 1, NULL, 's'},
      {"first", 1, NULL, 'f'},   {"keep", 1, NULL, 'd'},        {"source", 1, NULL, 'S'},
      {"seconds", 1, NULL, 't'}, {"write-seeds", 1, NULL, 'w'}, {NULL, 0, NULL, 0}};
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
    case 'w':
      options.seeds = optarg;
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

static uint64_t run_kind(const struct options *options, const fuzz_kind *kind, const char *folder)
{
  fuzz_seeds seeds = fuzz_seeds_read(options->source, kind);
  fuzz_run run = {kind, &seeds, options->seed, options->first, options->count, options->seconds, folder, options->keep};
  fuzz_report report = fuzz_watch(&run);
  printf("%-12s %10llu %10llu %10llu %10.1f\n", kind->name, (unsigned long long)report.read,
         (unsigned long long)report.refused, (unsigned long long)report.failed, report.seconds);
  fflush(stdout);
  fuzz_seeds_free(&seeds);
  return report.failed;
}

static uint64_t run_kinds(const struct options *options)
{
  uint64_t failed = 0;
  char *folder = fuzz_folder_make();
  fuzz_set_platforms(options->source);
  printf("%-12s %10s %10s %10s %10s\n", "kind", "read", "refused", "failed", "seconds");
  fflush(stdout);
  for (const fuzz_kind *kind = fuzz_kinds; kind->name; kind++)
    if (!options->kind || strcmp(options->kind, kind->name) == 0)
      failed += run_kind(options, kind, folder);
  fuzz_folder_remove(folder);
  return failed;
}

static void write_seeds(const struct options *options)
{
  fuzz_seeds seeds = fuzz_seeds_read(options->source, fuzz_kind_find(options->kind));
  fuzz_seeds_write(&seeds, options->seeds);
  fuzz_seeds_free(&seeds);
}

int main(int argc, char **argv)
{
  struct options options = parse(argc, argv);
  if ((options.kind && !fuzz_kind_find(options.kind)) || (options.seeds && !options.kind))
    misuse();
  if (options.seeds) {
    write_seeds(&options);
    return EXIT_SUCCESS;
  }
  return run_kinds(&options) ? EXIT_FAILURE : EXIT_SUCCESS;
}
