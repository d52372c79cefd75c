/* UCC_TL_UCP_TUNE: tokens with '#' between them, parts of a token with ':', items of a part with ','. Empty ones are
   skipped, as strtok() does. A part is the first of these that it can be and that the token does not have yet:
   collectives, memory, score, sizes, ranks, algorithm (ucc_coll_score_parse_str()). */
#include <ctype.h>
#include <limits.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"
#include "decision/libraries/ucc/ucc.h"

struct piece {
  const char *text;
  size_t length;
};

/* The next piece between separators; false: none is left. */
static bool next(struct piece *rest, char separator, struct piece *piece)
{
  while (rest->length && *rest->text == separator)
    *rest = (struct piece){rest->text + 1, rest->length - 1};
  const char *end = rest->length ? memchr(rest->text, separator, rest->length) : NULL;
  *piece = (struct piece){rest->text, end ? (size_t)(end - rest->text) : rest->length};
  *rest = (struct piece){rest->text + piece->length, rest->length - piece->length};
  return piece->length > 0;
}

static bool is(struct piece piece, const char *word)
{
  return strlen(word) == piece.length && strncasecmp(piece.text, word, piece.length) == 0;
}

/* Digits only; larger numbers are cut to @p max. */
static bool parse_number(struct piece piece, uint64_t max, uint64_t *number)
{
  *number = 0;
  for (size_t i = 0; i < piece.length; i++) {
    if (!isdigit((unsigned char)piece.text[i]))
      return false;
    *number = *number > (max - 9) / 10 ? max : 10 * *number + (uint64_t)(piece.text[i] - '0');
  }
  return true;
}

/* ---- sizes: ucs_str_to_memunits() ---- */

bool tutti_ucc_parse_size(const char *text, size_t length, uint64_t *size)
{
  static const char prefixes[] = "BKMGT";
  const struct piece all = {text, length};
  struct piece digits = all;
  *size = UINT64_MAX;
  if (is(all, "inf"))
    return true;
  digits.length = 0;
  while (digits.length < length && isdigit((unsigned char)text[digits.length]))
    digits.length++;
  if (digits.length == 0 || length - digits.length > 2 || !parse_number(digits, UINT64_MAX, size))
    return false;
  if (length == digits.length)
    return true;
  const char *prefix = strchr(prefixes, toupper((unsigned char)text[digits.length]));
  if (!prefix || !*prefix || (length - digits.length == 2 && tolower((unsigned char)text[length - 1]) != 'b'))
    return false;
  const int shift = 10 * (int)(prefix - prefixes);
  *size = *size > UINT64_MAX >> shift ? UINT64_MAX : *size << shift;
  return true;
}

/* Of exactly two numbers. */
static bool split(struct piece piece, struct piece ends[2])
{
  struct piece more;
  return next(&piece, '-', &ends[0]) && next(&piece, '-', &ends[1]) && !next(&piece, '-', &more);
}

bool tutti_ucc_parse_sizes(const char *text, size_t length, struct ucc_range *range)
{
  struct piece ends[2];
  return split((struct piece){text, length}, ends) &&
         tutti_ucc_parse_size(ends[0].text, ends[0].length, &range->start) &&
         tutti_ucc_parse_size(ends[1].text, ends[1].length, &range->end);
}

/* ---- parts ---- */

static bool parse_collectives(struct piece part, struct ucc_token *token)
{
  struct piece item;
  unsigned found = 0;
  int c = 0;
  while (next(&part, ',', &item)) {
    for (c = 0; c < UCC_COLLECTIVES && !is(item, tutti_ucc_collectives[c].name);)
      c++;
    if (c == UCC_COLLECTIVES)
      return false;
    found |= 1u << c;
  }
  token->collectives = found;
  token->last = c;
  return found;
}

static bool parse_memory(struct piece part, unsigned *memory)
{
  static const char *const types[UCC_MEMORIES] = {"host", "cuda", "cuda_managed", "rocm", "rocm_managed"};
  struct piece item;
  *memory = 0;
  while (next(&part, ',', &item)) {
    int m = 0;
    while (m < UCC_MEMORIES && !is(item, types[m]))
      m++;
    if (m == UCC_MEMORIES)
      return false;
    *memory |= 1u << m;
  }
  return *memory;
}

static bool parse_score(struct piece part, struct ucc_token *token)
{
  uint64_t number;
  if (is(part, "inf"))
    number = INT_MAX;
  else if (!parse_number(part, INT_MAX, &number))
    return false;
  token->score = (long)number;
  return true;
}

/* All or none: what was added is dropped again. */
static bool parse_ranges(struct piece part, struct ucc_tune *tune, struct ucc_token *token)
{
  struct piece item;
  struct ucc_range range;
  const size_t first = tune->ranges.count;
  while (next(&part, ',', &item)) {
    if (!tutti_ucc_parse_sizes(item.text, item.length, &range)) {
      tune->ranges.count = first;
      return false;
    }
    tutti_xpush(&tune->ranges, range);
  }
  token->first = first;
  token->ranges = tune->ranges.count - first;
  return token->ranges > 0;
}

static bool parse_team(struct piece item, struct ucc_range *range)
{
  struct piece ends[2];
  if (parse_number(item, UINT_MAX, &range->start)) {
    range->end = range->start;
    return true;
  }
  if (!split(item, ends) || !parse_number(ends[0], UINT_MAX, &range->start))
    return false;
  if (is(ends[1], "inf"))
    range->end = UINT_MAX;
  else if (!parse_number(ends[1], UINT_MAX, &range->end))
    return false;
  return range->start <= range->end;
}

static bool parse_teams(struct piece part, struct ucc_tune *tune, struct ucc_token *token)
{
  struct piece item;
  struct ucc_range range;
  const size_t first = tune->ranges.count;
  if (part.length < 3 || part.text[0] != '[' || part.text[part.length - 1] != ']')
    return false;
  part = (struct piece){part.text + 1, part.length - 2};
  while (next(&part, ',', &item)) {
    if (!parse_team(item, &range)) {
      tune->ranges.count = first;
      return false;
    }
    tutti_xpush(&tune->ranges, range);
  }
  token->team = first;
  token->teams = tune->ranges.count - first;
  return token->teams > 0;
}

static bool parse_algorithm(struct piece part, struct ucc_token *token)
{
  if (*part.text != '@')
    return false;
  token->algorithm = part.text + 1;
  token->algorithm_length = part.length - 1;
  return true;
}

static bool parse_part(struct piece part, struct ucc_tune *tune, struct ucc_token *token)
{
  return (!token->collectives && parse_collectives(part, token)) ||
         (!token->memory && parse_memory(part, &token->memory)) ||
         (token->score == UCC_NO_SCORE && parse_score(part, token)) ||
         (!token->ranges && parse_ranges(part, tune, token)) || (!token->teams && parse_teams(part, tune, token)) ||
         (!token->algorithm && parse_algorithm(part, token));
}

/* ---- a token, and its faults ---- */

static void check_token(struct tuning_file *file, const struct ucc_token *token)
{
  bool sizeless = false;
  for (int c = 0; c < UCC_COLLECTIVES && token->algorithm; c++) {
    const struct ucc_collective *collective = &tutti_ucc_collectives[c];
    if ((token->collectives && !(token->collectives >> c & 1)) ||
        tutti_ucc_algorithm(collective, token->algorithm, token->algorithm_length))
      continue;
    tutti_tuning_report(file, LINT_UCC_ALGORITHM, token->at, "%s has no algorithm '%.*s'", collective->name,
                        (int)(token->algorithm_length < 40 ? token->algorithm_length : 40), token->algorithm);
    break;
  }
  for (int c = 0; c < UCC_COLLECTIVES; c++)
    sizeless = sizeless || (token->collectives == 1u << c && tutti_ucc_collectives[c].unit == TUTTI_UNIT_NONE);
  if (sizeless && token->ranges)
    tutti_tuning_report(file, LINT_UCC_SIZELESS, token->at, "they do not apply");
  if (!token->algorithm && token->score == UCC_NO_SCORE)
    tutti_tuning_report(file, LINT_UCC_EMPTY, token->at, "%.*s", (int)(token->length < 80 ? token->length : 80),
                        file->text + token->at);
}

/* ---- sizes that overlap ---- */

/* One range of sizes on one of numbers of ranks. */
struct box {
  const struct ucc_token *token;
  struct ucc_range sizes, teams;
};

/* Maximum for which overlaps are searched. */
enum { MAX_BOXES = 3000 };

struct boxes {
  TUTTI_VECTOR(struct box);
};

static void add_boxes(const struct ucc_tune *tune, const struct ucc_token *token, struct boxes *boxes)
{
  for (size_t r = 0; r < (token->ranges ? token->ranges : 1); r++)
    for (size_t t = 0; t < (token->teams ? token->teams : 1) && boxes->count < MAX_BOXES; t++)
      tutti_xpush(
          boxes,
          ((struct box){token, token->ranges ? tune->ranges.items[token->first + r] : (struct ucc_range){0, UINT64_MAX},
                        token->teams ? tune->ranges.items[token->team + t] : (struct ucc_range){0, UINT_MAX}}));
}

static bool overlap(const struct box *one, const struct box *other)
{
  const unsigned all = (1u << UCC_COLLECTIVES) - 1;
  return (one->token->collectives ? one->token->collectives : all) &
             (other->token->collectives ? other->token->collectives : all) &&
         one->token->memory & other->token->memory && one->sizes.start < other->sizes.end &&
         other->sizes.start < one->sizes.end && one->teams.start <= other->teams.end &&
         other->teams.start <= one->teams.end;
}

static void check_overlaps(struct tuning_file *file, const struct ucc_tune *tune)
{
  struct boxes boxes = {.count = 0};
  const struct ucc_token *reported = NULL;
  for (size_t i = 0; i < tune->count && file->findings; i++)
    if (!tune->items[i].bad && (tune->items[i].algorithm || tune->items[i].score != UCC_NO_SCORE))
      add_boxes(tune, &tune->items[i], &boxes);
  for (size_t i = 0; i < boxes.count; i++) {
    const struct box *box = &boxes.items[i];
    size_t j = 0;
    while (j < i && box->sizes.start < box->sizes.end && !overlap(box, &boxes.items[j]))
      j++;
    if (j < i || box->sizes.start >= box->sizes.end) {
      if (reported != box->token)
        tutti_tuning_report(file, LINT_UCC_OVERLAP, box->token->at, "%.*s",
                            (int)(box->token->length < 80 ? box->token->length : 80), file->text + box->token->at);
      reported = box->token;
    }
  }
  tutti_vector_free(&boxes);
}

void tutti_ucc_read_tune(struct tuning_file *file, const struct ucc_setting *setting, struct ucc_tune *tune)
{
  struct piece rest = {setting->value, strlen(setting->value)}, text, part;
  *tune = (struct ucc_tune){.setting = setting};
  while (next(&rest, '#', &text)) {
    struct ucc_token token = {.at = setting->value_at + (size_t)(text.text - setting->value),
                              .length = text.length,
                              .last = UCC_COLLECTIVES - 1,
                              .score = UCC_NO_SCORE};
    struct piece parts = text;
    while (!token.bad && next(&parts, ':', &part))
      if (!parse_part(part, tune, &token)) {
        token.bad = true;
        tutti_tuning_report(file, LINT_UCC_TOKEN, setting->value_at + (size_t)(part.text - setting->value), "'%.*s'",
                            (int)(part.length < 80 ? part.length : 80), part.text);
      }
    if (!token.memory)
      token.memory = (1u << UCC_MEMORIES) - 1;
    if (!token.bad)
      check_token(file, &token);
    tutti_xpush(tune, token);
  }
  check_overlaps(file, tune);
}
