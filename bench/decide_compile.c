/* C source of a classifier over ranks and bytes in two forms, compiled and loaded.

   FORM_IFS is what section 5.3.3 of Pjesivac-Grbovic 2007 generates: nested tests. On questions in random order each
   test is mispredicted half of the time. FORM_TABLE has no branch: where the question lies among the sorted thresholds
   of either axis is found by halving, and a table of all their boxes has the answer. */
#include <dlfcn.h>
#include <inttypes.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "decide_rows.h"

enum { MOST_CUTS = 1023 };

/* ---- nested tests: the children of a node stand behind it, so labels nest as ifs do ---- */

static void print_ifs(const tutti_classifier *classifier, FILE *stream)
{
  fprintf(stream, "#include <stdint.h>\nint decide(int ranks, uint64_t bytes)\n{\n");
  for (int i = 0; i < classifier->node_count; i++) {
    const tutti_node *node = &classifier->nodes[i];
    if (node->attribute < 0)
      fprintf(stream, "n%d: return %d;\n", i, node->label);
    else
      fprintf(stream, "n%d: if (%s <= %.0f%s) goto n%d; else goto n%d;\n", i,
              node->attribute == TUTTI_AXIS_RANKS ? "ranks" : "bytes", node->threshold,
              node->attribute == TUTTI_AXIS_RANKS ? "" : "u", node->first, node->first + 1);
  }
  fprintf(stream, "}\n");
}

/* ---- table ---- */

struct cuts {
  int count; /* 2^levels - 1: filled up with what nothing is above */
  int levels;
  uint64_t values[MOST_CUTS];
};

static int compare(const void *left, const void *right)
{
  uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
  return (a > b) - (a < b);
}

static void add_cut(struct cuts *cuts, uint64_t value)
{
  for (int i = 0; i < cuts->count; i++)
    if (cuts->values[i] == value)
      return;
  if (cuts->count < MOST_CUTS)
    cuts->values[cuts->count++] = value;
}

static void collect(const tutti_classifier *classifier, int axis, uint64_t most, struct cuts *cuts)
{
  *cuts = (struct cuts){0};
  for (int i = 0; i < classifier->node_count; i++)
    if (classifier->nodes[i].attribute == axis)
      add_cut(cuts, (uint64_t)classifier->nodes[i].threshold);
  qsort(cuts->values, (size_t)cuts->count, sizeof *cuts->values, compare);
  while ((1 << cuts->levels) - 1 < cuts->count)
    cuts->levels++;
  while (cuts->count < (1 << cuts->levels) - 1)
    cuts->values[cuts->count++] = most;
}

static int classify(const tutti_classifier *classifier, double ranks, double bytes)
{
  const tutti_node *node = classifier->nodes;
  while (node->attribute >= 0)
    node = &classifier->nodes[node->first + ((node->attribute == TUTTI_AXIS_RANKS ? ranks : bytes) > node->threshold)];
  return node->label;
}

static void print_cuts(const char *type, const char *name, const struct cuts *cuts, FILE *stream)
{
  fprintf(stream, "static const %s %s_cuts[] = {", type, name);
  for (int i = 0; i < cuts->count; i++)
    fprintf(stream, "%" PRIu64 "u, ", cuts->values[i]);
  fprintf(stream, "0};\n");
}

/* Each box is asked at its upper end. */
static void print_table(const tutti_classifier *classifier, const struct cuts *ranks, const struct cuts *bytes,
                        FILE *stream)
{
  fprintf(stream, "static const unsigned char table[%d][%d] = {\n", ranks->count + 1, bytes->count + 1);
  for (int i = 0; i <= ranks->count; i++) {
    fputs("{", stream);
    for (int j = 0; j <= bytes->count; j++)
      fprintf(stream, "%d,",
              classify(classifier, i < ranks->count ? (double)ranks->values[i] : 4294967296.0,
                       j < bytes->count ? (double)bytes->values[j] : 0x1p63));
    fputs("},\n", stream);
  }
  fprintf(stream, "};\n");
}

static void print_search(const char *name, const char *value, const struct cuts *cuts, FILE *stream)
{
  fprintf(stream, "  unsigned %s_index = 0;\n", name);
  for (int half = 1 << cuts->levels >> 1; half > 0; half >>= 1)
    fprintf(stream, "  %s_index += (%s > %s_cuts[%s_index + %d]) * %du;\n", name, value, name, name, half - 1, half);
}

static size_t print_grid(const tutti_classifier *classifier, FILE *stream)
{
  static struct cuts ranks, bytes;
  collect(classifier, TUTTI_AXIS_RANKS, UINT32_MAX, &ranks);
  collect(classifier, TUTTI_AXIS_BYTES, UINT64_MAX, &bytes);
  fprintf(stream, "#include <stdint.h>\n");
  print_cuts("uint32_t", "ranks", &ranks, stream);
  print_cuts("uint64_t", "bytes", &bytes, stream);
  print_table(classifier, &ranks, &bytes, stream);
  fprintf(stream, "int decide(int ranks, uint64_t bytes)\n{\n");
  print_search("ranks", "(uint32_t)ranks", &ranks, stream);
  print_search("bytes", "bytes", &bytes, stream);
  fprintf(stream, "  return table[ranks_index][bytes_index];\n}\n");
  return (size_t)(ranks.count + 1) * 4 + (size_t)(bytes.count + 1) * 8 +
         (size_t)(ranks.count + 1) * (size_t)(bytes.count + 1);
}

/* ---- compiling ---- */

size_t decide_code_size(decide_code code)
{
  union {
    decide_code code;
    void *address;
  } place = {.code = code};
  Dl_info info;
  ElfW(Sym) *symbol = NULL;
  return dladdr1(place.address, &info, (void **)&symbol, RTLD_DL_SYMENT) && symbol ? symbol->st_size : 0;
}

static decide_code load(const char *library)
{
  union {
    void *address;
    decide_code code;
  } found = {0};
  void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL); /* for the rest of the run */
  if (handle)
    found.address = dlsym(handle, "decide");
  else
    fprintf(stderr, "bench-decide: %s\n", dlerror());
  return found.code;
}

static size_t write_source(const char *path, const tutti_classifier *classifier, enum form form)
{
  size_t tables = 0;
  FILE *stream = fopen(path, "w");
  if (!stream)
    return 0;
  if (form == FORM_IFS)
    print_ifs(classifier, stream);
  else
    tables = print_grid(classifier, stream);
  fclose(stream);
  return tables;
}

decide_code decide_compile(const tutti_classifier *classifier, enum form form, size_t *memory)
{
  char directory[] = "/tmp/bench-decide-XXXXXX", source[64], library[64], command[256];
  decide_code code = NULL;
  if (!mkdtemp(directory))
    return NULL;
  snprintf(source, sizeof source, "%s/decide.c", directory);
  snprintf(library, sizeof library, "%s/decide.so", directory);
  snprintf(command, sizeof command, "${CC:-cc} -O2 -shared -fPIC -o %s %s", library, source);
  *memory = write_source(source, classifier, form);
  if (system(command) == 0)
    code = load(library);
  *memory += code ? decide_code_size(code) : 0;
  unlink(source);
  unlink(library);
  rmdir(directory);
  return code;
}
