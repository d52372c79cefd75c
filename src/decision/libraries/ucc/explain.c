/* What UCC's TL/UCP runs for a call: the tokens of one variable change the ranges of its own choice
   (ucc_coll_score_update_one()), of which those that touch are then parted (ucc_coll_score_build_map()). */
#include <inttypes.h>
#include <limits.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/numbers.h"
#include "base/text.h"
#include "decision/libraries/ucc/ucc.h"

/* Messages of these sizes, both included when all is done, are served alike. */
struct part {
  uint64_t start, end;
  long score;
  const struct ucc_token *token; /* NULL: UCC's own choice */
};

struct parts {
  TUTTI_VECTOR(struct part);
};

struct look {
  struct explaining *explaining;
  const struct ucc_rules *rules;
  const struct ucc_collective *collective;
  struct part *given; /* [ranges of all tokens] */
  size_t given_count;
  void *lists[UCC_COLLECTIVES][UCC_MEMORIES]; /* tsearch() of `given`, which do not overlap */
  struct parts own, parts;                    /* the list of the call; all sizes, in their order */
  uint64_t key, factor;                       /* the size that is compared, of so many times that of a rank */
  const char *fault;                          /* why the variable is dropped; NULL: it is not */
};

static void narrow(struct look *look, uint64_t min, uint64_t max)
{
  if (look->factor == 0)
    return;
  tutti_explain_at_least(look->explaining, min / look->factor + (min % look->factor != 0));
  if (max != UINT64_MAX)
    tutti_explain_at_most(look->explaining, max / look->factor);
}

/* ---- sections ---- */

static bool holds_for(const struct ucc_section *section, const tutti_explained_call *call)
{
  const unsigned ranks = (unsigned)call->ranks,
                 per_node = call->ranks_per_node > 0 ? (unsigned)call->ranks_per_node : 1;
  const unsigned nodes = ranks / per_node + (ranks % per_node != 0), most = per_node < ranks ? per_node : ranks;
  const unsigned least = ranks % per_node && nodes > 1 ? ranks % per_node : most;
  const unsigned values[UCC_CONDITIONS][2] = {{ranks, ranks}, {least, most}, {nodes, nodes}};
  for (int i = 0; i < UCC_CONDITIONS; i++)
    if (values[i][0] < section->limits[i][0] || values[i][1] > section->limits[i][1])
      return false;
  return !section->machine;
}

static const struct ucc_setting *find_setting(const struct look *look, const char *name)
{
  const struct ucc_setting *found = NULL;
  for (size_t i = 0; i < look->rules->settings.count; i++) {
    const struct ucc_setting *setting = &look->rules->settings.items[i];
    if (strcmp(setting->name, name) == 0 &&
        (setting->section < 0 || holds_for(&look->rules->sections.items[setting->section], look->explaining->call)) &&
        (!found || found->section < 0))
      found = setting;
  }
  return found;
}

/* The variable before the sections goes first. */
static const struct ucc_tune *find_tune(const struct look *look)
{
  const struct ucc_tune *found = NULL;
  for (size_t i = 0; i < look->rules->tunes.count; i++) {
    const struct ucc_tune *tune = &look->rules->tunes.items[i];
    const int section = tune->setting->section;
    if (section < 0)
      return tune;
    const struct ucc_section *of = &look->rules->sections.items[section];
    if (of->machine)
      tutti_explain_step(look->explaining, of->at, "the section is for some processors, and is passed over here");
    else if (!found && holds_for(of, look->explaining->call))
      found = tune;
  }
  return found;
}

/* ---- ranges ---- */

/* Equal if they overlap. */
static int compare_parts(const void *left, const void *right)
{
  const struct part *one = left, *other = right;
  return one->end <= other->start ? -1 : one->start >= other->end;
}

/* False: it is empty, or overlaps another one. */
static bool add_range(struct look *look, int c, int m, const struct part *part)
{
  if (part->start >= part->end)
    return false;
  const struct part *const *added = tsearch(part, &look->lists[c][m], compare_parts);
  if (!added)
    tutti_out_of_memory();
  if (*added == part && m == 0 && c == look->collective - tutti_ucc_collectives)
    tutti_xpush(&look->own, *part);
  return *added == part;
}

static bool is_for_team(const struct ucc_tune *tune, const struct ucc_token *token, unsigned ranks)
{
  for (size_t i = 0; i < token->teams; i++)
    if (ranks >= tune->ranges.items[token->team + i].start && ranks <= tune->ranges.items[token->team + i].end)
      return true;
  return token->teams == 0;
}

static size_t give_ranges(struct look *look, const struct ucc_tune *tune, const struct ucc_token *token)
{
  const size_t count = token->ranges ? token->ranges : 1;
  for (size_t i = 0; i < count; i++) {
    const struct ucc_range all = {0, UINT64_MAX}, *range = token->ranges ? &tune->ranges.items[token->first + i] : &all;
    look->given[look->given_count++] =
        (struct part){.start = range->start, .end = range->end, .score = token->score, .token = token};
  }
  return count;
}

/* The last range counts for whether all are good, of the last collective with the last type of memory. */
static bool add_lists(struct look *look, const struct ucc_tune *tune, const struct ucc_token *token)
{
  const struct part *part = &look->given[look->given_count], *last = part + give_ranges(look, tune, token) - 1;
  bool good = true, added = true;
  for (int c = 0; c < UCC_COLLECTIVES; c++)
    for (int m = 0; m < UCC_MEMORIES; m++) {
      if ((token->collectives && !(token->collectives >> c & 1)) || !(token->memory >> m & 1))
        continue;
      for (const struct part *each = part; each <= last; each++)
        added = add_range(look, c, m, each);
      if (c == token->last && token->memory >> m == 1)
        good = added;
    }
  return good;
}

static bool has_algorithm(const struct ucc_token *token)
{
  for (int c = 0; c < UCC_COLLECTIVES && token->algorithm; c++)
    if ((!token->collectives || token->collectives >> c & 1) &&
        !tutti_ucc_algorithm(&tutti_ucc_collectives[c], token->algorithm, token->algorithm_length))
      return false;
  return true;
}

static void add_token(struct look *look, const struct ucc_tune *tune, const struct ucc_token *token)
{
  if (token->bad)
    look->fault = "it has a word that UCC does not understand";
  else if (!is_for_team(tune, token, (unsigned)look->explaining->call->ranks) ||
           (!token->algorithm && token->score == UCC_NO_SCORE))
    return;
  else if (!has_algorithm(token))
    look->fault = "it names an algorithm that UCC does not have";
  else if (!add_lists(look, tune, token))
    look->fault = "its sizes are empty or overlap";
}

/* Fill the gaps with UCC's own choice, leave out what is switched off, and part what touches: the end belongs to the
   one with the higher score, else to the second one. */
static void finish_parts(struct look *look)
{
  const struct parts *list = &look->own;
  struct parts *parts = &look->parts;
  uint64_t from = 0;
  if (list->count > 0)
    qsort(list->items, list->count, sizeof *list->items, compare_parts);
  for (size_t i = 0; i <= list->count; i++) {
    const uint64_t to = i < list->count ? list->items[i].start : UINT64_MAX;
    if (from < to)
      tutti_xpush(parts, ((struct part){.start = from, .end = to, .score = UCC_SCORE}));
    if (i == list->count)
      break;
    struct part part = list->items[i];
    from = part.end;
    part.score = part.score == UCC_NO_SCORE ? UCC_SCORE : part.score;
    tutti_xpush(parts, part);
  }
  for (size_t i = 0; i + 1 < parts->count; i++) {
    struct part *part = &parts->items[i], *other = part + 1;
    if (part->score == 0 || other->score == 0 || part->end != other->start)
      continue;
    if (part->score > other->score)
      other->start++;
    else
      part->end--;
  }
}

/* ---- the answer ---- */

static void run_own_choice(struct look *look)
{
  look->explaining->answer->own_choice = true;
  tutti_explain_name(look->explaining, "%s", "UCC's own choice");
}

enum { UCC_RADIX = 0, NO_RADIX = -1 }; /* UCC's own; below 2, or above all numbers of ranks */

static int parse_radix(const char *text)
{
  char *end;
  const long value = strtol(text, &end, 10);
  if (end == text) /* "auto" */
    return UCC_RADIX;
  return value > 1 && value <= INT_MAX ? (int)value : NO_RADIX;
}

/* The radix that a variable, "0-4k:host:8,4k-inf:2,auto", has for the size. */
static int read_radix(struct look *look, const struct ucc_algorithm *algorithm, const struct ucc_setting *setting)
{
  int radix = algorithm->default_radix;
  for (const char *item = setting->value; *item;) {
    const size_t length = strcspn(item, ",");
    const char *colon = memrchr(item, ':', length), *first = memchr(item, ':', length);
    struct ucc_range range = {0, UINT64_MAX};
    const int value = parse_radix(colon ? colon + 1 : item);
    const bool sized = first && tutti_ucc_parse_sizes(item, (size_t)(first - item), &range);
    if (!colon)
      radix = value;
    else if (first == colon || strncmp(first + 1, "host:", 5) == 0) {
      if (sized && (look->key < range.start || look->key > range.end))
        narrow(look, look->key > range.end ? range.end + 1 : 0, look->key < range.start ? range.start - 1 : UINT64_MAX);
      else {
        narrow(look, range.start, range.end);
        return value;
      }
    }
    item += length + (item[length] == ',');
  }
  return radix;
}

static int find_radix(struct look *look, const struct ucc_algorithm *algorithm)
{
  const struct ucc_setting *all = find_setting(look, "TL_UCP_KN_RADIX");
  char name[80];
  snprintf(name, sizeof name, "TL_UCP_%s", algorithm->radix);
  const struct ucc_setting *setting = find_setting(look, name);
  if (all && strtol(all->value, NULL, 10) > 0) {
    tutti_explain_step(look->explaining, all->at, "%s = %.40s is the radix of all", all->name, all->value);
    return parse_radix(all->value);
  }
  if (!setting)
    return algorithm->default_radix;
  const int radix = read_radix(look, algorithm, setting);
  tutti_explain_step(look->explaining, setting->at, radix == NO_RADIX ? "%s = %.80s: no radix" : "%s = %.80s: radix %d",
                     setting->name, setting->value, radix);
  return radix;
}

/* Whether the variable that the method needs has its value. */
static bool is_set(const struct look *look, const char *needed)
{
  char name[80] = "TL_UCP_";
  const char *equals = needed ? strchr(needed, '=') : NULL;
  if (!equals)
    return true;
  strncat(name, needed, (size_t)(equals - needed));
  const struct ucc_setting *setting = find_setting(look, name);
  return setting && strcmp(setting->value, equals + 1) == 0;
}

static void run_algorithm(struct look *look, const struct ucc_algorithm *algorithm)
{
  tutti_explanation *answer = look->explaining->answer;
  const int ranks = look->explaining->call->ranks;
  const int radix = algorithm->radix ? find_radix(look, algorithm) : 0;
  if (radix == NO_RADIX)
    tutti_explain_name(look->explaining, "%s, no radix that is known", algorithm->name);
  else if (radix)
    tutti_explain_name(look->explaining, "%s, radix %d", algorithm->name, radix);
  else
    tutti_explain_name(look->explaining, "%s%s", algorithm->name, algorithm->radix ? ", UCC's radix" : "");
  answer->known = radix != NO_RADIX && tutti_ucc_method(look->collective, algorithm, radix, ranks, &answer->method) &&
                  is_set(look, algorithm->setting);
  if (answer->known) {
    const int node = 0;
    const tutti_call call = {
        .size = ranks, .count = (uint64_t)ranks, .type_size = 1, .commutative = true, .nodes = &node};
    answer->known = tutti_method_fault(&answer->method, &call) == NULL;
  }
}

static void run_part(struct look *look)
{
  const struct part *part = NULL;
  for (size_t i = 0; i < look->parts.count && !part; i++)
    if (look->key >= look->parts.items[i].start && look->key <= look->parts.items[i].end)
      part = &look->parts.items[i];
  const struct ucc_token *token = part->token;
  const struct ucc_algorithm *algorithm = NULL;
  if (token && token->algorithm)
    algorithm = tutti_ucc_algorithm(look->collective, token->algorithm, token->algorithm_length);
  narrow(look, part->start, part->end);
  if (token)
    tutti_explain_step(look->explaining, token->at, "the token %.*s", (int)(token->length < 200 ? token->length : 200),
                       look->explaining->tuning->file.text + token->at);
  else
    tutti_explain_step(look->explaining, NO_PLACE, "no token for %" PRIu64 " byte%s", look->key,
                       tutti_plural(look->key));
  if (part->score == 0)
    tutti_explain_step(look->explaining, token->at, "the score 0: TL/UCP does not take the call");
  if (algorithm && part->score != 0)
    run_algorithm(look, algorithm);
  else
    run_own_choice(look);
}

static void look_up(struct look *look)
{
  const tutti_explained_call *call = look->explaining->call;
  const struct ucc_tune *tune = find_tune(look);
  if (!tune) {
    tutti_explain_step(look->explaining, NO_PLACE, "no UCC_TL_UCP_TUNE for %d ranks", call->ranks);
    run_own_choice(look);
    return;
  }
  look->factor = look->collective->unit == TUTTI_UNIT_TOTAL  ? (uint64_t)call->ranks
                 : look->collective->unit == TUTTI_UNIT_NONE ? 0
                                                             : 1;
  look->key = library_product(call->rank_bytes, (int)look->factor);
  look->given = tutti_xcalloc(tune->ranges.count + tune->count + 1, sizeof *look->given);
  for (size_t i = 0; i < tune->count && !look->fault; i++)
    add_token(look, tune, &tune->items[i]);
  if (look->fault) {
    tutti_explain_step(look->explaining, tune->setting->at, "the variable is dropped: %s", look->fault);
    run_own_choice(look);
    return;
  }
  finish_parts(look);
  run_part(look);
}

static void keep(void *part)
{
  (void)part;
}

tutti_status tutti_ucc_explain(struct explaining *explaining, tutti_error *error)
{
  const tutti_explained_call *call = explaining->call;
  struct look look = {.explaining = explaining,
                      .rules = explaining->tuning->rules,
                      .collective = tutti_ucc_collective(call->collective)};
  (void)error;
  if (look.rules->dropped)
    tutti_explain_step(explaining, NO_PLACE, "UCC does not start with this file: %s",
                       explaining->tuning->fault ? explaining->tuning->fault : "it has a fault");
  else if (!look.collective || call->ranks == 1)
    tutti_explain_step(explaining, NO_PLACE, "TL/UCP has no choice of algorithms here");
  if (look.rules->dropped || !look.collective || call->ranks == 1)
    run_own_choice(&look);
  else
    look_up(&look);
  for (int i = 0; i < UCC_COLLECTIVES * UCC_MEMORIES; i++)
    tdestroy(look.lists[i / UCC_MEMORIES][i % UCC_MEMORIES], keep);
  free(look.given);
  tutti_vector_free(&look.own);
  tutti_vector_free(&look.parts);
  return TUTTI_OK;
}
