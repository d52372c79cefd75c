/* tutti algorithms: the catalogue. */
#include "cli/algorithms.h"
#include "cli/command.h"
#include "cli/options/common.h"
#include "cli/output/output.h"
#include "tutti/algorithm.h"

static void check_usage(void *values)
{
  const struct algorithms_options *chosen = values;
  if (chosen->ranks.count > 0 && !chosen->prove)
    die("--ranks goes with --reproducible");
}

static const struct option_row options[] = {
    OPTION_PARSE(
        "reproducible", "CLASS", struct algorithms_options, classes, option_reproducible,
        "prove what the bits of reductions depend on, and list those with a CLASS, or several with commas: the "
        "same on all ranks, in any order of arrival, on any nodes, for any size, by the aligned tree, in any "
        "distribution (ranks, arrival, nodes, size, aligned, distribution)",
        .bare = true, .everyday = true, OPTION_GIVEN(struct algorithms_options, prove)),
    OPTION_NUMBERS("ranks", struct algorithms_options, ranks, tutti_experiment_parse_rank_count,
                   "with --reproducible: prove on each of these numbers of ranks", .letter = 'P', .max = 65536,
                   .otherwise = "2 to 9, 12, 16 and 17"),
    OPTION_FORMAT(struct algorithms_options, format),
    ARGUMENT_PARSE("COLLECTIVE,...", struct algorithms_options, collectives, option_collectives, .optional = true),
    OPTION_CHECK(check_usage),
    OPTION_END};

enum { LIST_LENGTH = TUTTI_CELL_LENGTH };

static void add_item(char list[LIST_LENGTH], const char *item)
{
  text_append(list, LIST_LENGTH, "%s%s", *list ? ", " : "", item);
}

/* The last of the parts that are alike but for the number at the end of their names, from that of index `i` on. */
static int last_alike(const tutti_part_of *parts, int i)
{
  const size_t length = strcspn(parts[i].name, "0123456789");
  while (i + 1 < TUTTI_MAX_PARTS && parts[i + 1].name && parts[i].name[length] &&
         strncmp(parts[i + 1].name, parts[i].name, length) == 0 && parts[i + 1].collective == parts[i].collective &&
         strcmp(parts[i + 1].default_algorithm, parts[i].default_algorithm) == 0)
    i++;
  return i;
}

static const char *parameters_of(const tutti_algorithm *algorithm, char text[LIST_LENGTH])
{
  char item[96];
  *text = '\0';
  if (algorithm->parameters & TUTTI_TAKES_SEGMENT)
    add_item(text, "segment");
  if (algorithm->parameters & TUTTI_TAKES_OUTSTANDING)
    add_item(text, tutti_algorithm_outstanding_name(algorithm));
  if (algorithm->parameters & TUTTI_TAKES_K) {
    if (algorithm->default_k > 0)
      snprintf(item, sizeof item, "%s (>= %d, usually %d)", tutti_algorithm_k_name(algorithm), algorithm->min_k,
               algorithm->default_k);
    else if (algorithm->parameters & TUTTI_K_IS_SIDES)
      snprintf(item, sizeof item, "%s (4x32; usually as the machine is)", tutti_algorithm_k_name(algorithm));
    else
      snprintf(item, sizeof item, "%s (>= 1, usually as the nodes are)", tutti_algorithm_k_name(algorithm));
    add_item(text, item);
  }
  for (int i = 0; i < TUTTI_MAX_PARTS && algorithm->parts[i].name; i++) {
    const tutti_part_of *part = &algorithm->parts[i];
    i = last_alike(algorithm->parts, i);
    const char *last = algorithm->parts[i].name;
    snprintf(item, sizeof item, "%s%s%s (%s, usually %s)", part->name, part->name != last ? " to " : "",
             part->name != last ? last : "", tutti_collective_name(part->collective), part->default_algorithm);
    add_item(text, item);
  }
  return *text ? text : "none";
}

static const char *needs_of(const tutti_algorithm *algorithm, char text[LIST_LENGTH])
{
  static const struct {
    unsigned need;
    const char *words;
  } words[] = {
      {TUTTI_NEEDS_POWER_OF_TWO, "a power of two of ranks"},
      {TUTTI_NEEDS_EVEN, "an even number of ranks"},
      {TUTTI_NEEDS_TWO, "two ranks"},
      {TUTTI_NEEDS_COMMUTATIVE, "a commutative operation"},
      {TUTTI_NEEDS_COUNT, "an element per rank"},
      {TUTTI_NEEDS_NODES, "known nodes (ranks_per_node=)"},
      {TUTTI_NEEDS_TORUS, "a box of ranks on a torus (torus=)"},
      {TUTTI_NEEDS_COUNTS, "the counts of all ranks"},
      {TUTTI_NEEDS_LEVELS, "known levels (levels=)"},
      {TUTTI_NEEDS_RANKS, "the ranks of its file"},
      {TUTTI_NEEDS_ROOT, "its root"},
      {TUTTI_NEEDS_UNIT, "multiples of its chunks"},
  };
  *text = '\0';
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (algorithm->domain & words[i].need)
      add_item(text, words[i].words);
  return *text ? text : algorithm->parts[0].name ? "what its parts need" : "nothing";
}

/* ---- names in libraries ---- */

static tutti_library_span span_of(const tutti_algorithm *algorithm, tutti_implementation implementation)
{
  return tutti_implementation_has(implementation, algorithm) ? tutti_library_span_of(implementation, algorithm)
                                                             : (tutti_library_span){0};
}

/* A name with the versions that have it, where these are not all. */
static const char *name_in(const tutti_algorithm *algorithm, tutti_implementation implementation, const char *name,
                           char *text, size_t length)
{
  const tutti_library_span span = span_of(algorithm, implementation);
  if (span.since)
    snprintf(text, length, "%s (from %d.%d on)", name, span.since / 100, span.since % 100);
  else if (span.until)
    snprintf(text, length, "%s (before %d.%d, then %s)", name, span.until / 100, span.until % 100, span.later);
  else
    snprintf(text, length, "%s", name);
  return text;
}

/* ---- output ---- */

TUTTI_GETTER(get_parameters, tutti_algorithm, parameters_of(row, cell->buffer))

TUTTI_GETTER(get_needs, tutti_algorithm, needs_of(row, cell->buffer))

static const char *version_text(int version, tutti_cell *cell)
{
  if (!version)
    return NULL;
  snprintf(cell->buffer, sizeof cell->buffer, "%d.%d", version / 100, version % 100);
  return cell->buffer;
}

/* The index of the column is the implementation. @{ */
#define SPAN span_of(row, (tutti_implementation)cell->column->index)
TUTTI_GETTER(get_since, tutti_algorithm, version_text(SPAN.since, cell))

TUTTI_GETTER(get_until, tutti_algorithm, version_text(SPAN.until, cell))

TUTTI_GETTER(get_later, tutti_algorithm, SPAN.later)
/* @} */

static const tutti_column columns[] = {
    {NULL, "collective", TUTTI_FIELD(tutti_algorithm, collective), .get = cell_collective},
    {NULL, "name", TUTTI_FIELD(tutti_algorithm, name)},
    {"parameters", "parameters", .get = get_parameters},
    {"needs", "needs", .get = get_needs},
    {"else", "else", TUTTI_FIELD(tutti_algorithm, substitute)},
    {NULL, "rounds_apart", TUTTI_FIELD(tutti_algorithm, rounds_apart)},
    {"source", "source", TUTTI_FIELD(tutti_algorithm, source)},
    {NULL, "openmpi", TUTTI_FIELD(tutti_algorithm, openmpi_id)},
    {NULL, "openmpi_since", .get = get_since, .index = TUTTI_IMPLEMENTATION_OPENMPI},
    {NULL, "mpich", TUTTI_FIELD(tutti_algorithm, mpich_name)},
    {NULL, "mpich_since", .get = get_since, .index = TUTTI_IMPLEMENTATION_MPICH},
    {NULL, "mpich_until", .get = get_until, .index = TUTTI_IMPLEMENTATION_MPICH},
    {NULL, "mpich_later", .get = get_later, .index = TUTTI_IMPLEMENTATION_MPICH},
};

/* A paragraph of lines of a word and what it says. */
static void print_text(const tutti_algorithm *algorithm)
{
  tutti_cell cell;
  char id[16] = "-", openmpi[40], mpich[120];
  tutti_say(stdout, "%s/%s\n", tutti_collective_name(algorithm->collective), algorithm->name);
  for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
    tutti_cell_get(&cell, &columns[i], algorithm);
    if (columns[i].heading && cell.type == TUTTI_CELL_TEXT)
      tutti_print_folded(stdout, tutti_say(stdout, "    %-11s ", columns[i].heading), cell.text);
  }
  if (algorithm->rounds_apart)
    tutti_say(stdout, "    %-11s " ROUNDS_APART "\n", "results");
  if (algorithm->openmpi_id)
    snprintf(id, sizeof id, "%d", algorithm->openmpi_id);
  tutti_say(stdout, "    Open MPI    %-3s  MPICH  %s\n",
            name_in(algorithm, TUTTI_IMPLEMENTATION_OPENMPI, id, openmpi, sizeof openmpi),
            name_in(algorithm, TUTTI_IMPLEMENTATION_MPICH, algorithm->mpich_name ? algorithm->mpich_name : "-", mpich,
                    sizeof mpich));
}

static int run(void *values)
{
  const struct algorithms_options *chosen = values;
  tutti_table table = {TUTTI_COLUMNS(columns), .row_size = sizeof(tutti_algorithm)};
  const tutti_document document = {.tables = &table, .table_count = 1};
  if (chosen->prove)
    return algorithms_prove(chosen);
  for (size_t i = 0; i < tutti_algorithm_count(); i++) {
    const tutti_algorithm *algorithm = tutti_algorithm_at(i);
    if (!algorithms_wanted(chosen, algorithm))
      continue;
    if (chosen->format == TUTTI_FORMAT_TEXT)
      print_text(algorithm);
    else
      must(tutti_table_add(&table, algorithm, &failure));
  }
  if (chosen->format != TUTTI_FORMAT_TEXT)
    must(tutti_document_print(&document, chosen->format, stdout, &failure));
  tutti_table_free(&table);
  return EXIT_DONE;
}

DEFINE_COMMAND(algorithms, "algorithms", options, struct algorithms_options, run);
