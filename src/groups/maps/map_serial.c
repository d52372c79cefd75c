/* Maps as bytes: "tuttimap", version (1 byte), kind (1), six zeros, size (4), world (4), then what the kind writes:
 * arrays of bits in words of 8 bytes that begin at a multiple of 8, so that they can be read where they are. */
#include "groups/maps/map_private.h"

#include <stdlib.h>
#include <string.h>

enum { VERSION = 2, HEAD_BYTES = 24, PADDING = 6, ALIGNMENT = 8 };
static const char magic[8] = {'t', 'u', 't', 't', 'i', 'm', 'a', 'p'};

const unsigned char *tutti_map_read_bytes(struct map_reader *reader, size_t count)
{
  if (reader->failed || count > reader->length - reader->at) {
    reader->failed = true;
    return NULL;
  }
  const unsigned char *bytes = reader->bytes + reader->at;
  reader->at += count;
  return bytes;
}

uint64_t tutti_map_read_number(struct map_reader *reader, int bytes)
{
  const unsigned char *from = tutti_map_read_bytes(reader, (size_t)bytes);
  uint64_t number = 0;
  for (int i = 0; from && i < bytes; i++)
    number |= (uint64_t)from[i] << (8 * i);
  return number;
}

void tutti_map_write_number(FILE *stream, uint64_t number, int bytes)
{
  for (int i = 0; i < bytes; i++)
    putc((int)(number >> (8 * i) & 0xff), stream);
}

void tutti_map_write_words(const uint64_t *words, uint64_t count, FILE *stream)
{
  for (uint64_t i = 0; i < count; i++)
    tutti_map_write_number(stream, words[i], 8);
}

void tutti_map_take_words(uint64_t *words, uint64_t count, const unsigned char *from)
{
  for (uint64_t i = 0; i < 8 * count; i++)
    words[i / 8] |= (uint64_t)from[i] << 8 * (i % 8);
}

uint64_t *tutti_map_words_in_place(const unsigned char *from)
{
  return (uint64_t *)(uintptr_t)from;
}

static void write_map(const tutti_map *map, FILE *stream)
{
  fwrite(magic, 1, sizeof magic, stream);
  tutti_map_write_number(stream, VERSION, 1);
  tutti_map_write_number(stream, (uint64_t)map->operations->kind, 1);
  tutti_map_write_number(stream, 0, PADDING);
  tutti_map_write_number(stream, (uint64_t)map->size, 4);
  tutti_map_write_number(stream, (uint64_t)map->world, 4);
  map->operations->write(map, stream);
}

tutti_status tutti_map_serialize(const tutti_map *map, unsigned char **bytes, size_t *length, tutti_error *error)
{
  char *text = NULL;
  size_t written = 0;
  FILE *stream = open_memstream(&text, &written);
  bool failed = !stream;
  if (stream) {
    write_map(map, stream);
    failed = ferror(stream) != 0;
    failed |= fclose(stream) != 0;
    failed |= written <= HEAD_BYTES; /* a kind that found no memory to write with */
  }
  if (failed) {
    free(text);
    return tutti_fail(error, TUTTI_ERR_MEMORY, "map: no memory to serialize %d members", map->size);
  }
  *bytes = (unsigned char *)text;
  *length = written;
  return TUTTI_OK;
}

/* @p size and @p world receive the values in the head. */
static tutti_status read_head(struct map_reader *reader, const struct map_operations **operations, int *size,
                              int *world, tutti_error *error)
{
  const unsigned char *start = tutti_map_read_bytes(reader, sizeof magic);
  if (!start || memcmp(start, magic, sizeof magic) != 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "map: bytes do not begin with \"tuttimap\"");
  uint64_t version = tutti_map_read_number(reader, 1), kind = tutti_map_read_number(reader, 1);
  uint64_t padding = tutti_map_read_number(reader, PADDING);
  uint64_t members = tutti_map_read_number(reader, 4), most = tutti_map_read_number(reader, 4);
  if (reader->failed)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "map: bytes end within the head");
  if (version != VERSION)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "map: bytes are of version %d, not %d", (int)version, VERSION);
  if (padding != 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "map: bytes between kind and size are not zero");
  if (members < 1 || members > most || most > INT32_MAX)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "map: bytes speak of %u members of a world of %u", (unsigned)members,
                      (unsigned)most);
  *size = (int)members;
  *world = (int)most;
  return tutti_map_operations_of((tutti_map_kind)kind, operations, error);
}

/* Ordered is what proves to be. */
static tutti_status check_read(tutti_map *map, struct map_reader *reader, tutti_error *error)
{
  const char *name = tutti_map_kind_name(map->operations->kind);
  if (reader->at != reader->length)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "map \"%s\": %zu bytes too many", name, reader->length - reader->at);
  tutti_status status = tutti_map_check_read(map, reader, &map->ordered, error);
  if (status == TUTTI_OK && map->operations->ordered_only && !map->ordered)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "map \"%s\": members do not ascend", name);
  return status;
}

/* The representation that reads arrays where they are. */
static tutti_status attach_by(const struct map_operations **operations, tutti_error *error)
{
  if ((*operations)->kind == TUTTI_MAP_ARRAY)
    *operations = &tutti_map_array_attached;
  if ((*operations)->attaches)
    return TUTTI_OK;
  return tutti_fail(error, TUTTI_ERR_UNSUPPORTED, "map \"%s\" cannot be read where it is",
                    tutti_map_kind_name((*operations)->kind));
}

static tutti_status read_map(struct map_reader *reader, tutti_map **map, tutti_error *error)
{
  const struct map_operations *operations;
  int size = 0, world = 0;
  tutti_status status = read_head(reader, &operations, &size, &world, error);
  if (status == TUTTI_OK && reader->attach)
    status = attach_by(&operations, error);
  if (status != TUTTI_OK)
    return status;
  tutti_map *made = NULL;
  status = tutti_map_read_by(operations, reader, size, world, &made, error);
  if (status != TUTTI_OK)
    return status;
  status = check_read(made, reader, error);
  if (status == TUTTI_OK)
    *map = made;
  else
    tutti_map_free(made);
  return status;
}

tutti_status tutti_map_deserialize(const unsigned char *bytes, size_t length, tutti_map **map, tutti_error *error)
{
  struct map_reader reader = {.bytes = bytes, .length = length};
  return read_map(&reader, map, error);
}

tutti_status tutti_map_attach(const unsigned char *bytes, size_t length, tutti_map **map, tutti_error *error)
{
  struct map_reader reader = {.bytes = bytes, .length = length, .attach = true};
  if (__BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__ || (uintptr_t)bytes % ALIGNMENT != 0)
    return tutti_fail(error, TUTTI_ERR_UNSUPPORTED,
                      "map: bytes are not where, or not in the order in which, they could be read as they are");
  return read_map(&reader, map, error);
}
