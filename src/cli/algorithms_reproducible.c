/* tutti algorithms --reproducible: what the bits of each reduction depend on, proven on its schedules. */
#include "cli/algorithms.h"
#include "cli/output/output.h"
#include "tutti/reproduction.h"

struct reproducible_row {
  tutti_method method;
  tutti_reproduction proof;
  char why[2 * TUTTI_CELL_LENGTH]; /* the first counter-examples */
  tutti_error none;                /* why there was no case on the last number of ranks */
};

static const uint64_t default_ranks[] = {2, 3, 4, 5, 6, 7, 8, 9, 12, 16, 17};

/* Why a method without a case serves no call. */
static void find_none(struct reproducible_row *row, int ranks)
{
  const tutti_algorithm *algorithm = row->method.algorithm;
  const tutti_call call = {.size = ranks,
                           .root =
                               algorithm->domain & TUTTI_NEEDS_ROOT && algorithm->root < ranks ? algorithm->root : 0,
                           .count = algorithm->domain & TUTTI_NEEDS_UNIT ? algorithm->unit : (uint64_t)ranks,
                           .type_size = 8,
                           .commutative = true};
  if (tutti_method_check(&row->method, &call, &row->none) == TUTTI_OK)
    tutti_fail(&row->none, TUTTI_ERR_UNSUPPORTED, "too many messages on %d ranks", ranks);
}

static void prove_method(const struct algorithms_options *chosen, struct reproducible_row *row)
{
  const bool given = chosen->ranks.count > 0, one = row->method.algorithm->domain & TUTTI_NEEDS_RANKS;
  const uint64_t own = (uint64_t)row->method.algorithm->ranks, *ranks = given ? chosen->ranks.items
                                                                        : one ? &own
                                                                              : default_ranks;
  const int count = given ? chosen->ranks.count : one ? 1 : (int)(sizeof default_ranks / sizeof *default_ranks);
  row->proof = tutti_reproduction_begin(&row->method);
  for (int i = 0; i < count; i++) {
    char name[TUTTI_METHOD_LENGTH];
    patience_at(tutti_method_format(&row->method, name), (double)i / count);
    must(tutti_reproduction_prove(&row->method, (int)ranks[i], &row->proof, &failure));
  }
  if (row->proof.cases == 0)
    find_none(row, (int)ranks[count - 1]);
  for (int c = 0; c < TUTTI_REPRODUCIBLE_CLASSES; c++)
    if (*row->proof.why[c])
      text_append(row->why, sizeof row->why, "%s%s: %s", *row->why ? "; " : "", tutti_reproducible_name(c),
                  row->proof.why[c]);
}

/* What the catalogue claims of a method, and the proof refutes. */
static bool is_contradicted(const struct reproducible_row *row)
{
  const unsigned wrong = tutti_method_reproducible(&row->method) & ~row->proof.sums;
  char name[TUTTI_METHOD_LENGTH];
  for (int c = 0; c < TUTTI_REPRODUCIBLE_CLASSES; c++)
    if (wrong & 1u << c) {
      tutti_fail(&failure, TUTTI_ERR_FAULT, "%s: the catalogue says class %s, which is refuted: %s",
                 tutti_method_format(&row->method, name), tutti_reproducible_name(c), row->proof.why[c]);
      complain(&failure);
    }
  return wrong;
}

/* ---- output ---- */

static const char *word_of(const tutti_reproduction *proof, int class)
{
  const unsigned bit = 1u << class;
  return proof->cases == 0 ? NULL : proof->any & bit ? "yes" : proof->sums & bit ? "sums" : "no";
}

TUTTI_GETTER(get_class, struct reproducible_row, word_of(&row->proof, cell->column->index))

TUTTI_GETTER(get_why, struct reproducible_row, *row->why ? row->why : NULL)

#define ROW struct reproducible_row
static const tutti_column columns[] = {
    {"method", "method", .at = offsetof(ROW, method), .get = cell_method},
    {"ranks", "same_ranks", .get = get_class, .index = 0},
    {"arrival", "same_arrival", .get = get_class, .index = 1},
    {"nodes", "same_nodes", .get = get_class, .index = 2},
    {"size", "same_size", .get = get_class, .index = 3},
    {"aligned", "same_aligned", .get = get_class, .index = 4},
    {"distribution", "same_distribution", .get = get_class, .index = 5},
    {"P up to", "proven_ranks", TUTTI_FIELD(ROW, proof.ranks)},
    {NULL, "proven_cases", TUTTI_FIELD(ROW, proof.cases)},
    {NULL, "left_out", TUTTI_FIELD(ROW, proof.left_out)},
    {NULL, "refuted_by", .get = get_why},
};

static void print_below(FILE *stream, const void *item)
{
  const ROW *row = item;
  if (row->none.status != TUTTI_OK)
    tutti_print_folded(stream, tutti_say(stream, "    no case: "), row->none.message);
  for (int c = 0; c < TUTTI_REPRODUCIBLE_CLASSES; c++)
    if (*row->proof.why[c])
      tutti_print_folded(stream, tutti_say(stream, "    %s: ", tutti_reproducible_name(c)), row->proof.why[c]);
}

static const char notes[] = "The bits of a result are the same\n"
                            "  ranks         on all ranks that get it\n"
                            "  arrival       in whatever order messages arrive\n"
                            "  nodes         on whatever nodes the ranks are\n"
                            "  size          for all elements of a message of any length\n"
                            "  aligned       by every method of this class, and on twice the ranks\n"
                            "  distribution  for numbers in a row on any number of ranks\n"
                            "sums: only where x op y has the bits of y op x, as for sums and products";

/* Why there are no rows. */
static void note_others(unsigned collectives)
{
  for (int c = 0; c < TUTTI_COLL_COUNT; c++)
    if (collectives >> c & 1 && !(tutti_collective_traits((tutti_collective)c) & TUTTI_REDUCES))
      tutti_say(stderr, "tutti: note: %s combines no operands: its results have the same bits whatever runs\n",
                tutti_collective_name((tutti_collective)c));
}

int algorithms_prove(const struct algorithms_options *chosen)
{
  tutti_table table = {.key = "reproducible", TUTTI_COLUMNS(columns), .row_size = sizeof(ROW), .notes = notes};
  const tutti_document document = {.tables = &table, .table_count = 1};
  bool contradicted = false;
  table.below = chosen->collectives ? print_below : NULL;
  note_others(chosen->collectives);
  for (size_t i = 0; i < tutti_algorithm_count(); i++) {
    ROW row = {.method = tutti_method_default(tutti_algorithm_at(i))};
    const tutti_collective collective = row.method.algorithm->collective;
    if (!algorithms_wanted(chosen, row.method.algorithm) || !(tutti_collective_traits(collective) & TUTTI_REDUCES))
      continue;
    prove_method(chosen, &row);
    contradicted = is_contradicted(&row) || contradicted;
    if ((row.proof.sums & chosen->classes) == chosen->classes && (row.proof.cases > 0 || chosen->classes == 0))
      must(tutti_table_add(&table, &row, &failure));
  }
  patience_at(NULL, 1);
  must(tutti_document_print(&document, chosen->format, stdout, &failure));
  tutti_table_free(&table);
  return contradicted ? EXIT_FOUND : EXIT_DONE;
}
