#include "harness/platforms/pieces.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/numbers.h"
#include "harness/platforms/platform_private.h"

int tutti_pieces_kind(const char *option)
{
  static const struct {
    const char *name;
    enum pieces_kind kind;
  } options[] = {{"smpi/bw-factor", PIECES_BANDWIDTH_FACTOR},
                 {"smpi/lat-factor", PIECES_LATENCY_FACTOR},
                 {"smpi/os", PIECES_OVERHEAD},
                 {"smpi/ois", PIECES_OVERHEAD},
                 {"smpi/or", PIECES_OVERHEAD}};
  for (size_t i = 0; i < sizeof options / sizeof *options; i++)
    if (strcmp(option, options[i].name) == 0)
      return (int)options[i].kind;
  return -1;
}

static int by_start(const void *left, const void *right)
{
  const struct piece *a = left, *b = right;
  return THREE_WAY(a->from, b->from);
}

static tutti_status read_bytes(const char *text, uint64_t *bytes, tutti_error *error)
{
  char *end;
  *bytes = strtoull(text, &end, 10);
  if (*text < '0' || *text > '9' || *end != '\0')
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "'%.40s' is not a whole number of bytes", text);
  return TUTTI_OK;
}

static tutti_status read_number(const char *text, enum pieces_kind kind, double *value, tutti_error *error)
{
  char *end;
  *value = strtod(text, &end);
  if (kind == PIECES_OVERHEAD && end != text && *end != '\0' && isfinite(*value))
    return tutti_platform_parse_time(text, value, error);
  if (end == text || *end != '\0' || !isfinite(*value))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "'%.40s' is not a number", text);
  return TUTTI_OK;
}

static tutti_status check_factor(double factor, enum pieces_kind kind, tutti_error *error)
{
  if (kind == PIECES_BANDWIDTH_FACTOR && factor <= 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "a factor of a bandwidth is above 0");
  if (kind == PIECES_LATENCY_FACTOR && factor < 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "a factor of a latency is not negative");
  return TUTTI_OK;
}

/* One of the parts between ";", which is cut at its ":". */
static tutti_status read_piece(char *text, enum pieces_kind kind, struct piece *piece, tutti_error *error)
{
  tutti_error form;
  tutti_fail(&form, TUTTI_ERR_ARGUMENT, "'%.40s' is not %s", text,
             kind == PIECES_OVERHEAD ? "BYTES:SECONDS:SECONDS_PER_BYTE" : "BYTES:FACTOR");
  char *from = strsep(&text, ":"), *value = strsep(&text, ":"), *slope = strsep(&text, ":");
  if (!value || text || (slope != NULL) != (kind == PIECES_OVERHEAD))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s", form.message);
  tutti_status status = read_bytes(from, &piece->from, error);
  if (status == TUTTI_OK)
    status = read_number(value, kind, &piece->value, error);
  if (status == TUTTI_OK && slope)
    status = read_number(slope, kind, &piece->slope, error);
  return status == TUTTI_OK ? check_factor(piece->value, kind, error) : status;
}

/* Check an overhead at both ends of each piece: elsewhere a line may go below 0. */
static tutti_status check_overhead(const struct pieces *pieces, tutti_error *error)
{
  for (size_t i = 0; i < pieces->count; i++) {
    const struct piece *piece = &pieces->items[i];
    const bool last = i + 1 == pieces->count;
    const uint64_t first = i ? piece->from : 0, end = last ? first : piece[1].from;
    if (piece->value + piece->slope * (double)first < 0 || piece->value + piece->slope * (double)end < 0)
      return tutti_fail(error, TUTTI_ERR_ARGUMENT, "less than nothing for messages of %llu bytes",
                        (unsigned long long)(piece->value + piece->slope * (double)first < 0 ? first : end));
    if (last && piece->slope < 0)
      return tutti_fail(error, TUTTI_ERR_ARGUMENT, "less than nothing for large messages");
  }
  return TUTTI_OK;
}

static tutti_status check_order(const struct pieces *pieces, tutti_error *error)
{
  for (size_t i = 1; i < pieces->count; i++)
    if (pieces->items[i].from == pieces->items[i - 1].from)
      return tutti_fail(error, TUTTI_ERR_ARGUMENT, "two values from %llu bytes on",
                        (unsigned long long)pieces->items[i].from);
  return TUTTI_OK;
}

tutti_status tutti_pieces_read(const char *text, enum pieces_kind kind, struct pieces *pieces, tutti_error *error)
{
  char *copy = tutti_xstrdup(text), *rest = copy;
  tutti_status status = TUTTI_OK;
  *pieces = (struct pieces){.items = tutti_xcalloc(strlen(text) / 2 + 1, sizeof *pieces->items)};
  for (char *part; status == TUTTI_OK && (part = strsep(&rest, ";"));)
    status = read_piece(part, kind, &pieces->items[pieces->count++], error);
  free(copy);
  tutti_vector_sort(pieces, by_start);
  if (status == TUTTI_OK)
    status = check_order(pieces, error);
  return status == TUTTI_OK && kind == PIECES_OVERHEAD ? check_overhead(pieces, error) : status;
}

void tutti_pieces_free(struct pieces *pieces)
{
  free(pieces->items);
  *pieces = (struct pieces){0};
}

/* The last piece that begins below @p bytes, or NULL. */
static const struct piece *piece_of(const struct pieces *pieces, double bytes)
{
  size_t low = 0, high = pieces->count;
  while (low < high) {
    const size_t middle = (low + high) / 2;
    if ((double)pieces->items[middle].from < bytes)
      low = middle + 1;
    else
      high = middle;
  }
  return low ? &pieces->items[low - 1] : NULL;
}

double tutti_pieces_factor(const struct pieces *pieces, double bytes)
{
  const struct piece *piece = piece_of(pieces, bytes);
  return piece ? piece->value : 1.0;
}

double tutti_pieces_overhead(const struct pieces *pieces, double bytes)
{
  const struct piece *piece = piece_of(pieces, bytes);
  if (!piece && pieces->count == 0)
    return 0;
  piece = piece ? piece : &pieces->items[0];
  return piece->value + piece->slope * bytes;
}
