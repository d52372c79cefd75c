/* Layout, least significant byte first, n containers:
 *   12346, n (4 bytes each)              no runs
 *   12347 (2), n - 1 (2), a bit each     bit set: a container of runs
 *   key, members - 1 (2 each)            by container
 *   place (4)                            by container; with runs only from four containers on
 *   runs (2), then first, length - 1 (2 each); or members (2 each), up to 4,096; or 65,536 bits */
#include "maps/roaring_format.h"

#include "maps/map_private.h"

enum { NO_RUNS = 12346, RUNS = 12347, MOST_LISTED = 4096, BITMAP_BYTES = 8192, PLACES_FROM = 4 };

static bool check_runs(struct map_reader *reader, uint64_t members)
{
  uint64_t runs = tutti_map_read_number(reader, 2), after = 0, found = 0;
  for (uint64_t i = 0; i < runs && !reader->failed; i++) {
    uint64_t first = tutti_map_read_number(reader, 2), length = tutti_map_read_number(reader, 2) + 1;
    if ((i > 0 && first <= after) || first + length > 65536)
      return false;
    after = first + length; /* runs that touch would be one */
    found += length;
  }
  return !reader->failed && runs > 0 && found == members;
}

static bool check_list(struct map_reader *reader, uint64_t members)
{
  int64_t last = -1;
  for (uint64_t i = 0; i < members; i++) {
    int64_t member = (int64_t)tutti_map_read_number(reader, 2);
    if (reader->failed || member <= last)
      return false;
    last = member;
  }
  return true;
}

static bool check_bits(struct map_reader *reader, uint64_t members)
{
  uint64_t found = 0;
  for (int i = 0; i < BITMAP_BYTES / 8; i++)
    found += (uint64_t)__builtin_popcountll(tutti_map_read_number(reader, 8));
  return !reader->failed && found == members;
}

static bool check_container(struct map_reader *reader, bool runs, uint64_t members)
{
  if (runs)
    return check_runs(reader, members);
  return members <= MOST_LISTED ? check_list(reader, members) : check_bits(reader, members);
}

/* Where the parts of the head are. */
struct head {
  const unsigned char *runs, *keys, *places; /* NULL: there are none */
  uint64_t containers;
};

static bool read_head(struct map_reader *reader, struct head *head)
{
  uint64_t cookie = tutti_map_read_number(reader, 4);
  bool with_runs = (cookie & 0xffff) == RUNS;
  if (!with_runs && cookie != NO_RUNS)
    return false;
  head->containers = with_runs ? (cookie >> 16) + 1 : tutti_map_read_number(reader, 4);
  if (head->containers < 1 || head->containers > 65536)
    return false;
  head->runs = with_runs ? tutti_map_read_bytes(reader, (size_t)(head->containers + 7) / 8) : NULL;
  head->keys = tutti_map_read_bytes(reader, (size_t)head->containers * 4);
  if (!with_runs || head->containers >= PLACES_FROM)
    head->places = tutti_map_read_bytes(reader, (size_t)head->containers * 4);
  return !reader->failed;
}

static uint64_t number_at(const unsigned char *bytes, int count)
{
  struct map_reader reader = {.bytes = bytes, .length = (size_t)count};
  return tutti_map_read_number(&reader, count);
}

static const char *check_containers(struct map_reader *reader, const struct head *head, uint64_t members)
{
  int64_t last = -1;
  uint64_t found = 0;
  for (uint64_t i = 0; i < head->containers; i++) {
    int64_t key = (int64_t)number_at(head->keys + 4 * i, 2);
    uint64_t here = number_at(head->keys + 4 * i + 2, 2) + 1;
    if (key <= last)
      return "containers do not ascend";
    if (head->places && number_at(head->places + 4 * i, 4) != reader->at)
      return "a container is elsewhere";
    if (!check_container(reader, head->runs && head->runs[i / 8] >> i % 8 & 1, here))
      return "a container is malformed";
    last = key;
    found += here;
  }
  return found == members ? NULL : "containers hold another number of members";
}

bool tutti_roaring_format_check(const unsigned char *bytes, size_t length, uint64_t members, const char **what)
{
  struct map_reader reader = {.bytes = bytes, .length = length};
  struct head head = {0};
  *what = read_head(&reader, &head) ? check_containers(&reader, &head, members) : "the head is malformed";
  if (!*what && reader.at != length)
    *what = "bytes are of another length";
  return !*what;
}
