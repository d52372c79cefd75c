/* Methods by the names that PICO's tables have for them. Whose code ran follows from the form of the name:
 *
 *     WORD_ompi, WORD_mpich, default-WORD    the library's own; of a default alone what it chose by itself
 *     WORD_over, WORD                        an implementation over plain MPI: our algorithm, if it is the same one
 *     WORD-MPI-SEGMENT-PORTS                 the same on Fugaku; -UTOFU- through the network's own interface
 *
 * A word that is not listed here is the name of the algorithm. What the authors' own methods send on several ports at
 * once has no schedule here.
 */
#include "harness/store/import_pico.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"

#define ALL TUTTI_COLL_COUNT

/* A guess: the names state three and six trees, and three is known for Trinaryx3 (Adachi et al. 2013). The segments are
   unknown: these are the powers of two nearest to the bytes sent on as many links in the time that a message takes of
   its sender, by the rate and the overhead in platforms/fugaku.xml (33 KB and 65 KB). */
#define THREE_TREES "torus-trees/32KB/trees=3"
#define SIX_TREES   "torus-trees/64KB/trees=6"

/* By collective, ALL last: the first line that fits counts. */
static const struct {
  tutti_collective collective;
  const char *word, *algorithm; /* NULL: unknown; with parameters: our algorithm, as no library is known to have it */
  const char *variant;
  const char *settings; /* of the line, in part; NULL: any */
} names[] = {
    {TUTTI_COLL_ALLGATHER, "3dtorus", "bucket-blocks", NULL, NULL},
    {TUTTI_COLL_ALLGATHER, "neighbor", "neighbor-exchange", NULL, NULL},
    {TUTTI_COLL_ALLGATHER, "brucks", "bruck", NULL, NULL},
    {TUTTI_COLL_ALLGATHER, "linear", "gather-bcast", NULL, NULL},
    {TUTTI_COLL_ALLGATHER, "bine-2-blocks", "bine-two-blocks", NULL, NULL},
    {TUTTI_COLL_ALLGATHER, "bine-2-blocks-dtype", "bine-two-blocks", "datatype", NULL},
    {TUTTI_COLL_ALLGATHER, "BINE-VEC-DOUBLING-CONT-PERMUTE", "bine-permute", NULL, NULL},
    {TUTTI_COLL_ALLGATHER, "BINE-VEC-DOUBLING-CONT-SEND", "bine-send", NULL, NULL},
    {TUTTI_COLL_ALLGATHER, "BINE-VEC-DOUBLING-BLOCKS", "swing", NULL, NULL},
    /* the runs with the first settings changed one; the other is the version before */
    {TUTTI_COLL_ALLREDUCE, "rabenseifner", NULL, NULL, "raben is modified"},
    {TUTTI_COLL_ALLREDUCE, "allgather-reduce", "rabenseifner", NULL, "scatter is old raben"},
    {TUTTI_COLL_ALLREDUCE, "nonoverlapping", "reduce-bcast", NULL, NULL},
    {TUTTI_COLL_ALLREDUCE, "basic-linear", "reduce-bcast/reduce=linear/bcast=linear", NULL, NULL},
    {TUTTI_COLL_ALLREDUCE, "trix3", THREE_TREES, NULL, NULL},
    {TUTTI_COLL_ALLREDUCE, "trix6", SIX_TREES, NULL, NULL},
    {TUTTI_COLL_ALLREDUCE, "segmented-ring", "ring-segmented", NULL, NULL},
    {TUTTI_COLL_ALLREDUCE, "bine-lat", "swing-latency", NULL, NULL},
    {TUTTI_COLL_ALLREDUCE, "bine-bdw-remap", "bine", NULL, NULL},
    {TUTTI_COLL_ALLREDUCE, "bine-bdw-static", "bine", "static", NULL},
    {TUTTI_COLL_ALLREDUCE, "BINE-L", "swing-latency", NULL, NULL},
    {TUTTI_COLL_ALLREDUCE, "BINE-B-CONT", "bine", NULL, NULL},
    {TUTTI_COLL_ALLREDUCE, "RECDOUB-L", "recursive-doubling", NULL, NULL},
    {TUTTI_COLL_ALLREDUCE, "RECDOUB-B-CONT", "rabenseifner", NULL, NULL},
    {TUTTI_COLL_ALLTOALL, "modified-bruck", "bruck", NULL, NULL},
    {TUTTI_COLL_ALLTOALL, "BINE-LOG", "bine", NULL, NULL},
    {TUTTI_COLL_ALLTOALL, "BRUCK-LOG", "bruck", NULL, NULL},
    {TUTTI_COLL_BCAST, "trinaryx3", THREE_TREES, NULL, NULL},
    {TUTTI_COLL_BCAST, "trinaryx6", SIX_TREES, NULL, NULL},
    {TUTTI_COLL_BCAST, "basic-linear", "linear", NULL, NULL},
    {TUTTI_COLL_BCAST, "binary-tree", "binary", NULL, NULL},
    {TUTTI_COLL_BCAST, "split-binary-tree", "split-binary", NULL, NULL},
    {TUTTI_COLL_BCAST, "knomial", "k-nomial", NULL, NULL},
    {TUTTI_COLL_BCAST, "scatter-allgather", "scatter-recursive-doubling", NULL, NULL},
    {TUTTI_COLL_BCAST, "scatter-allgather-ring", "scatter-ring", NULL, NULL},
    {TUTTI_COLL_BCAST, "bine-lat", "bine", NULL, NULL},
    {TUTTI_COLL_BCAST, "bine-bdw-remap", "bine-scatter-allgather", NULL, NULL},
    {TUTTI_COLL_BCAST, "BINE-BINOMIAL-TREE", "bine", NULL, NULL},
    {TUTTI_COLL_BCAST, "BINE-BINOMIAL-TREE-TMPBUF", "bine", "buffer", NULL},
    {TUTTI_COLL_BCAST, "BINE-SCATTER-ALLGATHER", "bine-scatter-allgather", NULL, NULL},
    {TUTTI_COLL_GATHER, "basic-linear", "linear", NULL, NULL},
    {TUTTI_COLL_GATHER, "simple", "linear-nonblocking", NULL, NULL},
    {TUTTI_COLL_GATHER, "linear-synch", "linear-sync", NULL, NULL},
    {TUTTI_COLL_REDUCE, "trinaryx3", THREE_TREES, NULL, NULL},
    {TUTTI_COLL_REDUCE, "trinaryx6", SIX_TREES, NULL, NULL},
    {TUTTI_COLL_REDUCE, "binomial", "in-order-binomial", NULL, NULL},
    {TUTTI_COLL_REDUCE, "in-order", "in-order-binary", NULL, NULL},
    {TUTTI_COLL_REDUCE, "bine-lat", "bine", NULL, NULL},
    {TUTTI_COLL_REDUCE, "bine-bdw", "bine-scatter-gather", NULL, NULL},
    {TUTTI_COLL_REDUCE, "BINE-BINOMIAL-TREE", "bine", NULL, NULL},
    {TUTTI_COLL_REDUCE, "BINE-REDUCE-SCATTER-GATHER", "bine-scatter-gather", NULL, NULL},
    {TUTTI_COLL_REDUCE_SCATTER, "non-overlapping", "reduce-scatter", NULL, NULL},
    {TUTTI_COLL_REDUCE_SCATTER, "BINE-VEC-HALVING-CONT-PERMUTE", "bine-permute", NULL, NULL},
    {TUTTI_COLL_SCATTER, "basic-linear", "linear", NULL, NULL},
    {TUTTI_COLL_SCATTER, "linear-nb", "linear-nonblocking", NULL, NULL},
    {ALL, "BINE-BINOMIAL-TREE-CONT-PERMUTE", "bine", NULL, NULL},
    {ALL, "BINE-BINOMIAL-TREE-CONT-PERMUTE-DEC", "bine", "decreasing", NULL},
    {ALL, "BINE-BINOMIAL-TREE-CONT-PERMUTE-INC", "bine", "increasing", NULL},
    {ALL, "bine-permute-remap", "bine-permute", NULL, NULL},
    {ALL, "bine-permute-static", "bine-permute", "static", NULL},
    {ALL, "bine-send-remap", "bine-send", NULL, NULL},
    {ALL, "bine-send-static", "bine-send", "static", NULL},
    {ALL, "bine-block-by-block", "swing", NULL, NULL},
    {ALL, "bine-block-by-block-any-even", "swing", "any-even", NULL},
};

enum { NAMES = sizeof names / sizeof *names, LONGEST = 64 };

/* A name cut into its parts. */
struct parts {
  char word[LONGEST]; /* with '-' for each '_' */
  const char *owner;  /* "@openmpi", "@mpich" or "" */
  uint64_t segment;
  bool utofu, unknown;
};

static void replace_underscores(char *word)
{
  for (; *word; word++)
    if (*word == '_')
      *word = '-';
}

/* Cut "-MPI-4096-1" off; false: it is not there. */
static bool cut_interface(struct parts *parts)
{
  char *interface = strstr(parts->word, "-UTOFU-");
  parts->utofu = interface != NULL;
  if (!interface)
    interface = strstr(parts->word, "-MPI-");
  if (!interface)
    return false;
  char *segment = strchr(interface + 1, '-') + 1, *ports = strchr(segment, '-');
  *interface = '\0';
  if (ports)
    *ports++ = '\0';
  parts->unknown = !ports || strcmp(ports, "1") != 0 || !tutti_parse_integer(segment, 0, UINT32_MAX, &parts->segment);
  return true;
}

static void cut_owner(struct parts *parts)
{
  static const struct {
    const char *ending, *owner;
  } endings[] = {{"-ompi", "@openmpi"}, {"-mpich", "@mpich"}, {"-over", ""}};
  static const char fujitsu[] = "default-", any_even[] = "-over-any-even";
  for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
    const size_t length = tutti_stem_length(parts->word, endings[i].ending);
    if (length > 0) {
      parts->word[length] = '\0';
      parts->owner = endings[i].owner;
      return;
    }
  }
  const size_t even = tutti_stem_length(parts->word, any_even);
  if (even > 0)
    strcpy(parts->word + even, any_even + strlen("-over"));
  if (strncmp(parts->word, fujitsu, strlen(fujitsu)) != 0)
    return;
  memmove(parts->word, parts->word + strlen(fujitsu), strlen(parts->word + strlen(fujitsu)) + 1);
  parts->owner = "@openmpi";
}

static struct parts cut(const char *name)
{
  struct parts parts = {.owner = ""};
  parts.unknown = snprintf(parts.word, sizeof parts.word, "%s", name) >= LONGEST;
  replace_underscores(parts.word);
  if (!parts.unknown && !cut_interface(&parts))
    cut_owner(&parts);
  return parts;
}

/* The place of a word among the names; NAMES: it is not there. */
static int find(tutti_collective collective, const char *word, const char *settings)
{
  int n = 0;
  while (n < NAMES &&
         !((names[n].collective == collective || names[n].collective == ALL) && strcmp(names[n].word, word) == 0 &&
           (!names[n].settings || strstr(settings, names[n].settings))))
    n++;
  return n;
}

/* Whether the torus has a tree for each neighbor. Otherwise the times are those of the library's own choice
   (docs/explanation/machines.md), so the method is unknown. */
static bool has_trees(const tutti_method *method, const int *sides, int count)
{
  int neighbors = 0;
  for (int d = 0; d < count; d++)
    neighbors += sides[d] > 2 ? 2 : sides[d] - 1;
  return !(method->algorithm->parameters & TUTTI_TAKES_OUTSTANDING) || method->parameters.outstanding <= neighbors;
}

/* A method that needs the torus gets the shape of the job, as from a word torus=4x4x4. */
static bool tell_torus(const char *nodes, tutti_method *method)
{
  int sides[TUTTI_MAX_SIDES], count = 0;
  uint64_t side;
  char copy[LONGEST], *rest = copy;
  if (!(method->algorithm->domain & TUTTI_NEEDS_TORUS) || !strchr(nodes, 'x'))
    return true;
  if (snprintf(copy, sizeof copy, "%s", nodes) >= LONGEST)
    return false;
  for (char *word; (word = strsep(&rest, "x")); sides[count++] = (int)side)
    if (count == TUTTI_MAX_SIDES || !tutti_parse_integer(word, 1, TUTTI_MAX_SIDE, &side))
      return false;
  method->parameters.k = tutti_sides_pack(sides, count);
  return has_trees(method, sides, count);
}

/* The library's method if it has it; a method listed in the table is our schedule, whichever library has it. */
static bool parse(tutti_collective collective, const char *algorithm, const char *owner, bool listed,
                  tutti_method *method)
{
  char text[3 * LONGEST];
  tutti_error ignored;
  snprintf(text, sizeof text, "%s/%s%s", tutti_collective_name(collective), algorithm, owner);
  if (tutti_method_parse(text, method, &ignored) == TUTTI_OK)
    return true;
  return listed && *owner && parse(collective, algorithm, "", false, method);
}

bool tutti_pico_method(tutti_collective collective, const char *name, const char *nodes, const char *settings,
                       struct pico_method *found)
{
  const struct parts parts = cut(name);
  const bool native = strcmp(parts.word, "default") == 0;
  const int line = find(collective, parts.word, settings);
  const char *algorithm = native ? "native" : line < NAMES ? names[line].algorithm : parts.word;
  if (parts.unknown || !algorithm)
    return false;
  *found = (struct pico_method){.variant = line < NAMES ? names[line].variant : NULL, .utofu = parts.utofu};
  if (!parse(collective, algorithm, native || strchr(algorithm, '/') ? "" : parts.owner, line < NAMES,
             &found->method) ||
      !tell_torus(nodes, &found->method))
    return false;
  if (parts.segment > 0)
    found->method.parameters.segment_bytes = parts.segment;
  return parts.segment == 0 || found->method.algorithm->parameters & TUTTI_TAKES_SEGMENT;
}
