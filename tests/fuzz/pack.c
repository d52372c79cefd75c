#include "pack.h"

#include <archive.h>
#include <archive_entry.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 512, WORDS = 6 };

struct packed {
  char *bytes;
  size_t length, most;
};

static struct packed create(size_t most)
{
  struct packed packed = {malloc(most), 0, most};
  if (!packed.bytes)
    abort();
  return packed;
}

static void append(struct packed *to, const char *bytes, size_t length)
{
  length = length < to->most - to->length ? length : to->most - to->length;
  memcpy(to->bytes + to->length, bytes, length);
  to->length += length;
}

static void append_zeros(struct packed *to, size_t count)
{
  count = count < to->most - to->length ? count : to->most - to->length;
  memset(to->bytes + to->length, 0, count);
  to->length += count;
}

/* ---- words ---- */

static int digit(char c)
{
  return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Put bytes in place of "%0a"; returns how many bytes the word has then. */
static size_t decode(char *word)
{
  char *to = word;
  for (const char *from = word; *from; to++)
    if (*from == '%' && digit(from[1]) >= 0 && digit(from[2]) >= 0) {
      *to = (char)(16 * digit(from[1]) + digit(from[2]));
      from += 3;
    } else
      *to = *from++;
  *to = '\0';
  return (size_t)(to - word);
}

static uint64_t number(const char *word)
{
  return strtoull(word, NULL, 10);
}

/* ---- tar ---- */

/* POSIX.1-2017, pax, "ustar Interchange Format"; a size that has no room as digits is binary, as GNU tar has it. */
static void append_header(struct packed *to, char type, const char *name, const char *link, uint64_t size)
{
  char header[BLOCK] = {0};
  unsigned sum = 0;
  memcpy(header, name, strnlen(name, 100));
  memcpy(header + 157, link, strnlen(link, 100));
  memcpy(header + 100, "0000644\0000000000\0000000000", 24);
  if (size >> 33 == 0)
    snprintf(header + 124, 12, "%011" PRIo64, size);
  else
    for (int i = 0; i < 8; i++)
      header[135 - i] = (char)(size >> (8 * i));
  header[124] |= (char)(size >> 33 ? 0x80 : 0);
  memcpy(header + 136, "00000000000", 11);
  header[156] = type;
  memcpy(header + 257, type == 'S' ? "ustar  " : "ustar\00000", 8);
  memset(header + 148, ' ', 8);
  for (int i = 0; i < BLOCK; i++)
    sum += (unsigned char)header[i];
  snprintf(header + 148, 8, "%06o", sum);
  append(to, header, BLOCK);
}

static void append_file(struct packed *to, const char *name, const struct packed *contents)
{
  append_header(to, '0', name, "", contents->length);
  append(to, contents->bytes, contents->length);
  append_zeros(to, -contents->length % BLOCK);
}

static void add_entry(struct packed *to, char *words[WORDS])
{
  decode(words[2]);
  decode(words[3]);
  const size_t length = decode(words[5]);
  append_header(to, words[1][0], words[2], words[3], words[4][0] == '-' ? length : number(words[4]));
  append(to, words[5], length);
  append_zeros(to, -length % BLOCK);
}

/* ---- all so far ---- */

static void exchange(struct packed *packed, struct packed other)
{
  free(packed->bytes);
  *packed = other;
}

static void nest(struct packed *packed, char *words[WORDS])
{
  struct packed outer = create(packed->most);
  decode(words[1]);
  append_file(&outer, words[1], packed);
  exchange(packed, outer);
}

/* A filter that there is not, or that would start a program, is none. */
static bool set_form(struct archive *archive, const char *name)
{
  static const char *const filters[] = {"gzip", "xz",       "bzip2",    "zstd",     "lzma",
                                        "lz4",  "compress", "uuencode", "b64encode"};
  if (strcmp(name, "zip") == 0)
    return archive_write_set_format_zip(archive) == ARCHIVE_OK;
  for (size_t i = 0; i < sizeof filters / sizeof *filters; i++)
    if (strcmp(name, filters[i]) == 0)
      return archive_write_add_filter_by_name(archive, name) == ARCHIVE_OK &&
             archive_write_set_format_raw(archive) == ARCHIVE_OK;
  return false;
}

static bool write_compressed(struct archive *archive, struct archive_entry *entry, const struct packed *from,
                             struct packed *to)
{
  archive_write_set_bytes_in_last_block(archive, 1);
  archive_entry_set_pathname(entry, "t.tar");
  archive_entry_set_filetype(entry, AE_IFREG);
  archive_entry_set_size(entry, (la_int64_t)from->length);
  return archive_write_open_memory(archive, to->bytes, to->most, &to->length) == ARCHIVE_OK &&
         archive_write_header(archive, entry) == ARCHIVE_OK &&
         archive_write_data(archive, from->bytes, from->length) == (la_ssize_t)from->length &&
         archive_write_close(archive) == ARCHIVE_OK;
}

static void compress(struct packed *packed, char *words[WORDS])
{
  struct packed outer = create(packed->most);
  struct archive *archive = archive_write_new();
  struct archive_entry *entry = archive_entry_new();
  if (set_form(archive, words[1]) && write_compressed(archive, entry, packed, &outer))
    exchange(packed, outer);
  else
    free(outer.bytes);
  archive_entry_free(entry);
  archive_write_free(archive);
}

static void append_word(struct packed *packed, char *words[WORDS])
{
  const size_t length = decode(words[1]);
  append(packed, words[1], length);
}

static void end(struct packed *packed, char *words[WORDS])
{
  (void)words;
  append_zeros(packed, 2 * BLOCK);
}

static void add_zeros(struct packed *packed, char *words[WORDS])
{
  append_zeros(packed, number(words[1]));
}

static void twice(struct packed *packed, char *words[WORDS])
{
  (void)words;
  append(packed, packed->bytes, packed->length);
}

static void flip(struct packed *packed, char *words[WORDS])
{
  const uint64_t at = number(words[1]);
  if (packed->length > 0)
    packed->bytes[at % packed->length] ^= (char)(1 << at % 8);
}

static void cut(struct packed *packed, char *words[WORDS])
{
  const uint64_t at = number(words[1]);
  packed->length = at < packed->length ? (size_t)at : packed->length;
}

static const struct {
  const char *name;
  void (*take)(struct packed *packed, char *words[WORDS]);
} steps[] = {{"entry", add_entry}, {"zeros", add_zeros}, {"bytes", append_word}, {"end", end}, {"nest", nest},
             {"pack", compress},   {"twice", twice},     {"flip", flip},         {"cut", cut}};

static void take_step(struct packed *packed, char *line)
{
  char *words[WORDS], none[] = "";
  for (int i = 0; i < WORDS; i++) {
    words[i] = line ? line : none;
    line = line && i + 1 < WORDS ? strchr(line, ' ') : NULL;
    if (line)
      *line++ = '\0';
  }
  for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
    if (strcmp(words[0], steps[i].name) == 0)
      steps[i].take(packed, words);
}

char *fuzz_pack(const char *text, size_t most, size_t *length)
{
  struct packed packed = create(most);
  char *copy = strdup(text), *rest = NULL;
  for (char *line = strtok_r(copy, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
    take_step(&packed, line);
  free(copy);
  *length = packed.length;
  return packed.bytes;
}
