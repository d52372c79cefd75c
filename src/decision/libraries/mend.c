/* Tuning files mended: read as their library reads them, and written anew without the rules that lose. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "decision/libraries/export/export.h"

struct mending {
  const tutti_tuning *tuning;
  const tutti_target *target; /* that writes such files */
  tutti_tuning *untuned;      /* the library without a file */
  const tutti_mended_point *points;
  size_t count;
  int ranks_per_node;        /* placement of the points and of the steps; 0: one */
  bool totals;               /* the library compares the sizes of all blocks together */
  unsigned placements;       /* placements in rules for the collective: each has a table */
  tutti_placement placement; /* of the current table */
  tutti_explained_call call; /* the one looked at */
  tutti_error *error;
};

/* ---- the judged points: each covers all communicators and messages up to the next ones ---- */

/* Whether the point is about the current table. */
static bool concerns(const struct mending *mending, const tutti_mended_point *point)
{
  int ranks_per_node = mending->ranks_per_node ? mending->ranks_per_node : 1;
  tutti_placement placement = library_placement(point->ranks, ranks_per_node);
  bool apart = mending->placements >> placement & 1;
  return point->collective == mending->call.collective &&
         (apart ? placement : TUTTI_PLACED_ANYHOW) == mending->placement;
}

/* The judged number of ranks that covers a communicator: the largest one up to it, else the smallest; or 0. */
static int judged_ranks(const struct mending *mending, int ranks)
{
  int below = 0, least = 0;
  for (size_t i = 0; i < mending->count; i++) {
    const tutti_mended_point *point = &mending->points[i];
    if (!concerns(mending, point))
      continue;
    if (point->ranks <= ranks && point->ranks > below)
      below = point->ranks;
    if (least == 0 || point->ranks < least)
      least = point->ranks;
  }
  return below ? below : least;
}

/* Sizes in the unit that the library compares: thus one rule serves communicators of several sizes. */
static uint64_t size_in_unit(const struct mending *mending, int ranks, uint64_t bytes)
{
  return library_product(bytes, mending->totals ? ranks : 1);
}

/* The size of the call before which the unit is less than that of a point. */
static uint64_t bytes_of(const struct mending *mending, const tutti_mended_point *point)
{
  uint64_t size = size_in_unit(mending, point->ranks, point->bytes), ranks = (uint64_t)mending->call.ranks;
  return mending->totals ? size / ranks + (size % ranks != 0) : size;
}

/* The point that covers the call. */
struct verdict {
  const tutti_mended_point *point, *next; /* NULL: none; the next larger one */
  uint64_t end;                           /* the last size that the point covers */
};

static struct verdict find_verdict(const struct mending *mending)
{
  const tutti_explained_call *call = &mending->call;
  const tutti_mended_point *below = NULL, *least = NULL;
  struct verdict verdict = {.end = UINT64_MAX};
  int ranks = judged_ranks(mending, call->ranks);
  for (size_t i = 0; i < mending->count; i++) {
    const tutti_mended_point *point = &mending->points[i];
    if (point->ranks != ranks || !concerns(mending, point))
      continue;
    uint64_t first = bytes_of(mending, point);
    if (first <= call->rank_bytes && (!below || point->bytes > below->bytes))
      below = point;
    if (!least || point->bytes < least->bytes)
      least = point;
    if (first > call->rank_bytes && first - 1 < verdict.end) {
      verdict.end = first - 1;
      verdict.next = point;
    }
  }
  verdict.point = below ? below : least;
  return verdict;
}

/* Whether the rule continues from a size at which it has won to one that is too far away to judge the sizes between. */
static bool is_far(const struct mending *mending, const struct verdict *verdict, uint64_t rule_end)
{
  const uint64_t first = bytes_of(mending, verdict->point), last = rule_end < verdict->end ? rule_end : verdict->end;
  return verdict->point->won && (last + 1) / TUTTI_FAR_SIZE >= (first ? first : 1);
}

/* Nothing is known between a size that stays and one of the same rule that lost or is far away: there the library
   chooses itself. *end: the last size for which that is the answer; rule_end: the last one of the rule. */
static bool is_unknown(const struct mending *mending, const struct verdict *verdict, uint64_t rule_end, uint64_t *end)
{
  const uint64_t bytes = mending->call.rank_bytes;
  if (!verdict->next || verdict->point == verdict->next)
    return false;
  if (!(verdict->next->lost && rule_end > verdict->end) && !is_far(mending, verdict, rule_end))
    return false;
  if (bytes > bytes_of(mending, verdict->point))
    return true;
  *end = bytes;
  return false;
}

/* Whether a point is replaced that covers communicators of the current size. Rules for others stay unchanged. */
static bool is_mended(const struct mending *mending)
{
  const int ranks = judged_ranks(mending, mending->call.ranks);
  for (size_t i = 0; i < mending->count; i++)
    if (mending->points[i].own && mending->points[i].ranks == ranks && concerns(mending, &mending->points[i]))
      return true;
  return false;
}

/* ---- answers of the file ---- */

static tutti_status look_up(const struct mending *mending, const tutti_tuning *tuning, const tutti_explained_call *call,
                            tutti_explanation *answer, uint64_t *end)
{
  struct explaining explaining = {.tuning = tuning, .call = call, .answer = answer, .silent = true, .literal = true};
  *answer = (tutti_explanation){.max = UINT64_MAX};
  tutti_status status = tuning->file.version.library->explain(&explaining, mending->error);
  tutti_explanation_select(answer, call->collective);
  *end = answer->max < *end ? answer->max : *end;
  return status;
}

/* Whether a rule equals the library's choice without it. In files that leave the choice to the library this counts
   where a point is replaced; in others, which have rules for everything, where no point is. */
static bool says_same(const struct mending *mending, bool replaced, const tutti_explanation *with,
                      const tutti_explanation *without)
{
  if (!without->own_choice)
    return !replaced && strcmp(with->algorithm, without->algorithm) == 0;
  return mending->tuning->untuned && is_mended(mending) && with->known &&
         tutti_untuned_same(with, without, mending->call.rank_bytes);
}

/* Whether, for calls of all kinds, the file does the same as the library without it. MPICH's files have rules for
   everything: most of them are its own. */
static tutti_status is_own(const struct mending *mending, const tutti_explanation *answer, bool replaced, bool *own,
                           uint64_t *end)
{
  tutti_explained_call kinds[] = {mending->call, mending->call, mending->call, mending->call, mending->call};
  tutti_explanation with, without;
  kinds[1].ranks_per_node = 2;
  kinds[2].ordered = true;
  kinds[3].own_operation = true;
  kinds[4].in_place = true;
  *own = answer->own_choice;
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds && !answer->own_choice && (i == 0 || *own); i++) {
    tutti_status status = look_up(mending, mending->untuned, &kinds[i], &without, end);
    if (status == TUTTI_OK)
      status = look_up(mending, mending->tuning, &kinds[i], &with, end);
    if (status != TUTTI_OK)
      return status;
    *own = says_same(mending, replaced, &with, &without);
  }
  return TUTTI_OK;
}

static tutti_status check_method(const struct mending *mending, const tutti_explanation *answer)
{
  const char *why = !answer->known                                                     ? "which the catalogue lacks"
                    : !mending->target->supports(&answer->method, mending->call.ranks) ? "which cannot be written"
                                                                                       : NULL;
  return why ? tutti_fail(mending->error, TUTTI_ERR_UNSUPPORTED, "%s: says %s for %s on %d ranks, %s: it is not mended",
                          mending->tuning->path, answer->algorithm, tutti_collective_name(mending->call.collective),
                          mending->call.ranks, why)
             : TUTTI_OK;
}

static int ranks_per_node_of(const struct mending *mending, int ranks);

/* Whether the point covers the answer to the call. A won point does not judge other algorithms. */
static tutti_status stands_for(const struct mending *mending, const tutti_mended_point *point,
                               const tutti_explanation *answer, bool *stands)
{
  tutti_explained_call call = mending->call;
  tutti_explanation won;
  uint64_t end = UINT64_MAX;
  *stands = true;
  if (!point || !point->won || answer->own_choice)
    return TUTTI_OK;
  call.ranks = point->ranks;
  call.ranks_per_node = ranks_per_node_of(mending, point->ranks);
  call.rank_bytes = point->bytes;
  tutti_status status = look_up(mending, mending->tuning, &call, &won, &end);
  *stands = strcmp(won.algorithm, answer->algorithm) == 0;
  return status;
}

/* The index of the method at the call, -1: the library's own choice; *end: up to which size. A method that the library
   would choose as well continues the previous method, if that is the same. A rule under which the call fails is left
   out. */
static tutti_status answer(const struct mending *mending, tutti_step_table *table, int before, int *index,
                           uint64_t *end)
{
  tutti_explanation found;
  bool own = false;
  *index = -1;
  const struct verdict verdict = find_verdict(mending);
  bool replaced = verdict.point && verdict.point->own;
  *end = verdict.end;
  if (replaced && before < 0)
    return TUTTI_OK;
  tutti_status status = look_up(mending, mending->tuning, &mending->call, &found, end);
  bool stands = true;
  if (status == TUTTI_OK)
    status = stands_for(mending, verdict.point, &found, &stands);
  if (status == TUTTI_OK)
    replaced = !stands || is_unknown(mending, &verdict, found.max, end) || replaced;
  if (status == TUTTI_OK && !found.fails)
    status = is_own(mending, &found, replaced, &own, end);
  if (status != TUTTI_OK || found.fails)
    return status;
  if (own) {
    bool rule = !found.own_choice || (mending->tuning->untuned && !replaced);
    bool same = before >= 0 && found.known && rule && tutti_method_compare(&table->methods[before], &found.method) == 0;
    *index = same ? before : -1;
  }
  if (own || replaced)
    return TUTTI_OK;
  status = check_method(mending, &found);
  if (status == TUTTI_OK)
    *index = tutti_step_table_method(table, &found.method);
  return status;
}

/* ---- step tables ---- */

static tutti_status add_step(const struct mending *mending, tutti_step_row *row, uint64_t bytes, int method)
{
  if (row->count > 0 && row->steps[row->count - 1].method == method)
    return TUTTI_OK;
  if (row->count == TUTTI_MAX_STEPS)
    return tutti_fail(mending->error, TUTTI_ERR_ARGUMENT,
                      "%s: has more than %d steps over the message sizes of %d ranks", mending->tuning->path,
                      TUTTI_MAX_STEPS, row->ranks);
  row->steps = tutti_xroom(row->steps, (size_t)row->count, sizeof *row->steps);
  row->steps[row->count++] = (tutti_step){bytes, method};
  return TUTTI_OK;
}

/* Placement of the ranks of the call: from the table, if rules ask for it. */
static int ranks_per_node_of(const struct mending *mending, int ranks)
{
  if (!mending->placements)
    return mending->ranks_per_node;
  return mending->placement == TUTTI_ONE_PER_NODE ? 1 : mending->placement == TUTTI_SINGLE_NODE ? ranks : 0;
}

/* Elements are bytes: files compare bytes, and what they ask of elements the writer asks again. */
static tutti_status add_row(struct mending *mending, int ranks, tutti_step_table *table)
{
  tutti_step_row *row = &table->rows[table->row_count++];
  tutti_status status = TUTTI_OK;
  uint64_t end = 0;
  int method;
  *row = (tutti_step_row){.ranks = ranks};
  mending->call.ranks = ranks;
  mending->call.ranks_per_node = ranks_per_node_of(mending, ranks);
  mending->call.type_bytes = 1;
  for (uint64_t bytes = 0; status == TUTTI_OK && end != UINT64_MAX; bytes = end + 1) {
    int before = row->count > 0 ? row->steps[row->count - 1].method : -1;
    mending->call.rank_bytes = bytes;
    status = answer(mending, table, before, &method, &end);
    if (status == TUTTI_OK)
      status = add_step(mending, row, bytes, method);
  }
  return status;
}

/* Communicators: all up to this many ranks, then powers of two and the judged ones. */
enum { MAX_POWER = 30 };

static int next_looked_at(const struct mending *mending, int ranks)
{
  int next = 1 << MAX_POWER;
  if (ranks < TUTTI_EVERY_RANKS)
    return ranks + 1;
  for (int power = TUTTI_EVERY_RANKS; power < next; power *= 2)
    next = power > ranks ? power : next;
  for (size_t i = 0; i < mending->count; i++)
    if (mending->points[i].ranks > ranks && mending->points[i].ranks < next)
      next = mending->points[i].ranks;
  return next;
}

/* The placements that rules for a collective ask for. */
static unsigned find_placements(const struct mending *mending, tutti_collective collective)
{
  const tutti_library *library = mending->tuning->file.version.library;
  return library->placements ? library->placements(mending->tuning, collective) : 0;
}

static tutti_status make_table(struct mending *mending, tutti_collective collective, tutti_step_table *table)
{
  tutti_status status = TUTTI_OK;
  mending->call.collective = collective;
  mending->totals = mending->target->unit(collective) == TUTTI_UNIT_TOTAL;
  *table = (tutti_step_table){
      .collective = collective, .placement = mending->placement, .ranks_per_node = mending->ranks_per_node};
  table->rows = tutti_xcalloc(TUTTI_EVERY_RANKS + MAX_POWER + mending->count, sizeof *table->rows);
  for (int ranks = 2; ranks < 1 << MAX_POWER && status == TUTTI_OK; ranks = next_looked_at(mending, ranks))
    status = add_row(mending, ranks, table);
  if (status == TUTTI_OK && !mending->totals)
    tutti_step_table_merge(table);
  return status;
}

/* ---- all ---- */

static tutti_status begin_mending(struct mending *mending, const tutti_tuning *tuning, int ranks_per_node,
                                  tutti_error *error)
{
  mending->tuning = tuning;
  mending->target = tutti_target_of_file(&tuning->file);
  mending->ranks_per_node = ranks_per_node > 1 ? ranks_per_node : 0;
  mending->error = error;
  tutti_status status = tutti_tuning_of_parts(mending->target, NULL, 0, &mending->untuned, error);
  if (status == TUTTI_OK && !mending->untuned)
    status = tutti_fail(error, TUTTI_ERR_UNSUPPORTED, "%s: is not a tuning file of an MPI library", tuning->path);
  return status;
}

tutti_status tutti_tuning_steps(const tutti_tuning *tuning, tutti_collective collective, int ranks_per_node,
                                tutti_step_table *table, tutti_error *error)
{
  struct mending mending = {.count = 0};
  *table = (tutti_step_table){.collective = collective};
  tutti_status status = begin_mending(&mending, tuning, ranks_per_node, error);
  if (status == TUTTI_OK && mending.ranks_per_node == 0 && find_placements(&mending, collective))
    mending.ranks_per_node = 1;
  if (status == TUTTI_OK && mending.target->unit(collective) != TUTTI_UNIT_ABSENT)
    status = make_table(&mending, collective, table);
  tutti_tuning_close(mending.untuned);
  if (status != TUTTI_OK)
    tutti_step_table_free(table);
  return status;
}

enum { PLACEMENTS = TUTTI_SINGLE_NODE + 1 };

/* Whether a point was about the current table. */
static bool is_judged(const struct mending *mending)
{
  for (size_t i = 0; i < mending->count; i++)
    if (concerns(mending, &mending->points[i]))
      return true;
  return false;
}

/* Count rules that select a method, as written. */
static size_t count_rules(const struct mending *mending, const tutti_step_table *table)
{
  struct size_blocks blocks = tutti_size_blocks_create(table, mending->target->unit(table->collective), INT64_MAX);
  size_t count = 0;
  for (int i = 0; i < blocks.count; i++)
    for (int j = 0; j < blocks.items[i].count; j++)
      count += blocks.items[i].rules[j].method >= 0;
  tutti_size_blocks_free(&blocks);
  return count;
}

/* The tables of a collective, that for any placement last; none if no table answers. */
static tutti_status make_parts_of(struct mending *mending, tutti_collective collective, tutti_export_part *parts,
                                  int *count, size_t *unjudged)
{
  tutti_status status = TUTTI_OK;
  int first = *count;
  bool answered = false;
  mending->placements = find_placements(mending, collective);
  for (int i = 1; i <= PLACEMENTS && status == TUTTI_OK; i++) {
    tutti_step_table *table = &parts[*count].table;
    mending->placement = (tutti_placement)(i % PLACEMENTS);
    if (mending->placement != TUTTI_PLACED_ANYHOW && !(mending->placements >> mending->placement & 1))
      continue;
    ++*count;
    status = make_table(mending, collective, table);
    answered = answered || (status == TUTTI_OK && tutti_step_table_answers(table));
    if (status == TUTTI_OK && mending->placements && !is_judged(mending))
      *unjudged += count_rules(mending, table);
  }
  while (status == TUTTI_OK && !answered && *count > first)
    tutti_export_part_free(&parts[--*count]);
  return status;
}

static tutti_status make_parts(struct mending *mending, const tutti_target *target, tutti_export_part *parts,
                               int *count, size_t *unjudged)
{
  tutti_status status = TUTTI_OK;
  for (int c = 0; c < TUTTI_COLL_COUNT && status == TUTTI_OK; c++)
    if (target->unit((tutti_collective)c) != TUTTI_UNIT_ABSENT)
      status = make_parts_of(mending, (tutti_collective)c, parts, count, unjudged);
  return status;
}

tutti_status tutti_tuning_mend(const tutti_tuning *tuning, const tutti_mended_point *points, size_t count,
                               int ranks_per_node, const char *comment, FILE *stream, size_t *unjudged,
                               tutti_error *error)
{
  tutti_export_part parts[TUTTI_COLL_COUNT * PLACEMENTS] = {0};
  struct mending mending = {.points = points, .count = count};
  int part_count = 0;
  *unjudged = 0;
  tutti_status status = begin_mending(&mending, tuning, ranks_per_node, error);
  if (status == TUTTI_OK)
    status = make_parts(&mending, mending.target, parts, &part_count, unjudged);
  if (status == TUTTI_OK)
    status = mending.target->write(parts, part_count, comment, stream, error);
  for (int i = 0; i < part_count; i++)
    tutti_export_part_free(&parts[i]);
  tutti_tuning_close(mending.untuned);
  return status;
}
