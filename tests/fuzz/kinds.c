/* The kinds: one line each. */
#include "kinds.h"

#include <glob.h>

const fuzz_kind fuzz_kinds[] = {
    {"classifier", {"tests/fuzz/seeds/*.tree"}, .feed = fuzz_feed_classifier},
    {"decision",
     {"tests/fuzz/seeds/*.decision", "tests/fuzz/seeds/*.rules", "experiments/*.txt"},
     .feed = fuzz_feed_decision},
    {"baseline", {"tests/fuzz/seeds/*.baseline"}, .feed = fuzz_feed_baseline},
    {"rules", {"tests/fuzz/seeds/*.rules", "experiments/*.txt"}, .feed = fuzz_feed_rules},
    {"experiment", {"tests/fuzz/seeds/experiment*.xml", "experiments/[!l]*.xml"}, .feed = fuzz_feed_experiment},
    {"platform", {"tests/fuzz/seeds/platform*.xml", "platforms/[cfg]*.xml"}, .feed = fuzz_feed_platform},
    {"machine", {"platforms/[bcfgjt]*.xml"}, .feed = fuzz_feed_machine},
    {"expression", {"tests/fuzz/seeds/*.expression"}, .feed = fuzz_feed_expression},
    {"method", {"tests/fuzz/seeds/*.method"}, .feed = fuzz_feed_method},
    {"record", {"tests/fuzz/seeds/*.record"}, .feed = fuzz_feed_record},
    {"points", {"tests/fuzz/seeds/*.points"}, .feed = fuzz_feed_points},
    {"import", {"tests/import/*.txt"}, .feed = fuzz_feed_import},
    {"csv", {"tests/import/*.csv"}, .feed = fuzz_feed_csv},
    {"pico", {"tests/import/pico_*.tsv"}, .feed = fuzz_feed_pico},
    {"archive", {"tests/fuzz/seeds/*.archive"}, .feed = fuzz_feed_archive},
    {"lint", {"tests/fuzz/seeds/*.tuning", "tests/fuzz/seeds/*.rules"}, .feed = fuzz_feed_lint},
    {"variables", {"tests/fuzz/seeds/*.variables"}, .feed = fuzz_feed_lint},
    {"openmpi", {"tests/fuzz/seeds/openmpi*.tuning", "tests/fuzz/seeds/version2.tuning"}, .feed = fuzz_feed_openmpi},
    {"mpich", {"tests/fuzz/seeds/mpich*.tuning"}, .feed = fuzz_feed_mpich},
    {"nccl", {"tests/fuzz/seeds/nccl*.tuning"}, .feed = fuzz_feed_nccl},
    {"msccl", {"tests/fuzz/seeds/*.msccl"}, .feed = fuzz_feed_msccl},
    {"value", {"tests/fuzz/seeds/*.value"}, .feed = fuzz_feed_value},
    {"row", {"tests/fuzz/seeds/*.row"}, .feed = fuzz_feed_row},
    {"policy", {"tests/fuzz/seeds/*.policy"}, .feed = fuzz_feed_policy},
    {"edit", {"tests/fuzz/seeds/*.edit"}, .feed = fuzz_feed_edit},
    {"hosts", {"tests/fuzz/seeds/*.hosts"}, .feed = fuzz_feed_hosts},
    {"nodes", {"tests/fuzz/seeds/*.nodes", "experiments/machines/*_groups.tsv"}, .feed = fuzz_feed_nodes},
    {"wiring", {"tests/fuzz/seeds/*.wiring"}, .feed = fuzz_feed_wiring},
    {"jobs", {"tests/fuzz/seeds/*.jobs"}, .feed = fuzz_feed_jobs},
    {"speed", {"tests/fuzz/seeds/*.speed"}, .feed = fuzz_feed_speed},
    {"manifest", {"tests/fuzz/seeds/*.manifest"}, .feed = fuzz_feed_manifest},
    {"slurm", {"tests/fuzz/seeds/*.slurm"}, .feed = fuzz_feed_slurm},
    {"together", {"tests/fuzz/seeds/*.together"}, .feed = fuzz_feed_together},
    {"trace", {"tests/fuzz/seeds/*.trace"}, .feed = fuzz_feed_trace},
    {"workload", {"tests/fuzz/seeds/*.workload", "tests/golden/*.goal"}, .feed = fuzz_feed_workload},
    {"pingpong", {"tests/fuzz/seeds/*.pingpong"}, .feed = fuzz_feed_pingpong},
    {"trips", {"tests/fuzz/seeds/*.trips"}, .feed = fuzz_feed_trips},
    {"parameters", {"tests/fuzz/seeds/*.parameters"}, .feed = fuzz_feed_parameters},
    {"runs", {"tests/fuzz/seeds/*.runs"}, .feed = fuzz_feed_runs},
    {"store", {"tests/fuzz/seeds/*.store"}, .feed = fuzz_feed_store},
    {"foreign", {"tests/fuzz/seeds/*.foreign"}, .feed = fuzz_feed_foreign},
    {"profile", {"tests/fuzz/seeds/*.profile"}, .feed = fuzz_feed_profile},
    {"cut", .feed = fuzz_feed_cut, .make = fuzz_make_cut},
    {"output", {"tests/fuzz/seeds/*.output"}, .feed = fuzz_feed_output},
    {"map", .feed = fuzz_feed_map, .make = fuzz_make_maps},
    {.name = NULL},
};

const fuzz_kind *fuzz_kind_find(const char *name)
{
  for (const fuzz_kind *kind = fuzz_kinds; kind->name; kind++)
    if (strcmp(kind->name, name) == 0)
      return kind;
  return NULL;
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

fuzz_seeds fuzz_seeds_read(const char *source, const fuzz_kind *kind)
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

void fuzz_seeds_write(const fuzz_seeds *seeds, const char *folder)
{
  for (size_t i = 0; i < seeds->count; i++) {
    char *path;
    if (asprintf(&path, "%s/seed-%zu", folder, i) < 0)
      abort();
    if (!fuzz_text_write(&seeds->texts[i], path)) {
      fprintf(stderr, "fuzz-readers: %s cannot be written\n", path);
      exit(2);
    }
    free(path);
  }
}

void fuzz_seeds_free(fuzz_seeds *seeds)
{
  for (size_t i = 0; i < seeds->count; i++)
    fuzz_text_free(&seeds->texts[i]);
  free(seeds->texts);
}

char *fuzz_folder_make(void)
{
  const char *parent = getenv("TMPDIR");
  char *folder;
  if (asprintf(&folder, "%s/tutti-fuzz-XXXXXX", parent && *parent ? parent : "/tmp") < 0 || !mkdtemp(folder)) {
    perror("fuzz-readers: a folder for files");
    exit(2);
  }
  return folder;
}

/* Kinds make files, no folders. */
void fuzz_folder_remove(char *folder)
{
  glob_t found;
  char *pattern;
  if (asprintf(&pattern, "%s/*", folder) < 0)
    abort();
  if (glob(pattern, 0, NULL, &found) == 0) {
    for (size_t i = 0; i < found.gl_pathc; i++)
      remove(found.gl_pathv[i]);
    globfree(&found);
  }
  remove(folder);
  free(pattern);
  free(folder);
}

/* Experiments name their platforms. */
void fuzz_set_platforms(const char *source)
{
  char *path;
  if (asprintf(&path, "%s/platforms", source) < 0 || setenv("TUTTI_PLATFORM_PATH", path, 1) != 0)
    abort();
  free(path);
}
