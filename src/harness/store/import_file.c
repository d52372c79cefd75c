/* Common parts of the readers of other benchmarks: names, and the measurement made from a row. */
#include "harness/store/import_file.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/utf8.h"
#include "base/words.h"
#include "harness/store/private.h"

const char tutti_import_no_collective[] = "no benchmark of a collective",
           tutti_import_unequal[] = "the size is not the same number of elements for each rank",
           tutti_import_wrong[] = "the benchmark found its results wrong",
           tutti_import_given_up[] = "the benchmark gave up, or had no valid repetition";

enum { TYPE_NAME = 32 };

/* Without a prefix MPI_ and an ending _T. */
static const struct {
  const char *names;
  uint64_t bytes;
} types[] = {
    {"byte char signed_char unsigned_char int8 uint8 f8e4m3 f8e5m2 fp8_e4m3 fp8_e5m2", 1},
    {"short unsigned_short int16 uint16 half float16 bfloat16", 2},
    {"int unsigned int32 uint32 float float32 real integer", 4},
    {"long unsigned_long long_long int64 uint64 double float64 double_precision", 8},
};

/* A name as in the table. */
static void name_type(const char *name, char word[TYPE_NAME])
{
  name += strncmp(name, "MPI_", 4) == 0 ? 4 : 0;
  size_t length = 0;
  for (; length < TYPE_NAME - 1 && (isalnum((unsigned char)name[length]) || name[length] == '_'); length++)
    word[length] = (char)tolower((unsigned char)name[length]);
  word[length] = '\0';
  const size_t stem = tutti_stem_length(word, "_t");
  word[stem > 0 ? stem : length] = '\0';
}

uint64_t tutti_import_type_size(const char *name)
{
  char word[TYPE_NAME];
  name_type(name, word);
  for (size_t i = 0; *word && i < sizeof types / sizeof *types; i++)
    if (tutti_word_is_listed(types[i].names, ' ', word))
      return types[i].bytes;
  return 0;
}

const char *tutti_import_type_word(tutti_collective collective, const char *name, char word[IMPORT_TYPE])
{
  char type[TYPE_NAME];
  name_type(name, type);
  *word = '\0';
  if (*type && tutti_collective_traits(collective) & TUTTI_REDUCES &&
      !tutti_word_is_listed("byte char half float float32 real double float64 double_precision", ' ', type))
    snprintf(word, IMPORT_TYPE, "type=%s", type);
  return word;
}

/* Letters of a name without what separates its words. */
static size_t letters_of(const char *name, size_t length, char *letters, size_t room)
{
  size_t count = 0;
  for (size_t i = 0; i < length && count < room; i++)
    if (!strchr("_- ", name[i]))
      letters[count++] = (char)tolower((unsigned char)name[i]);
  return count;
}

bool tutti_import_collective(const char *name, size_t length, tutti_collective *collective)
{
  static const char broadcast[] = "broadcast";
  char given[40], own[40];
  const size_t count = letters_of(name, length, given, sizeof given);
  for (int c = 0; c < TUTTI_COLL_COUNT; c++) {
    const char *known = tutti_collective_name((tutti_collective)c);
    *collective = (tutti_collective)c;
    if (letters_of(known, strlen(known), own, sizeof own) == count && memcmp(given, own, count) == 0)
      return true;
  }
  *collective = TUTTI_COLL_BCAST;
  return count == strlen(broadcast) && memcmp(given, broadcast, count) == 0;
}

void tutti_import_set_words(struct import_file *file, bool untold, const char *words)
{
  if (file->untold == untold && strcmp(file->words, words) == 0)
    return;
  file->settings.changes += file->untold != untold; /* other settings choose the method */
  file->untold = untold;
  snprintf(file->words, sizeof file->words, "%s", words);
}

/* Words NAME=VALUE after those of a tuning file, whose names are in capitals: in alphabetical order. */
static void add_words(const struct import_file *file, tutti_import_item *item)
{
  if (!*file->words)
    return;
  char *settings =
      tutti_xprintf("%s%s%s", item->settings ? item->settings : "", item->settings ? " " : "", file->words);
  free(item->settings);
  item->settings = settings;
}

tutti_status tutti_import_add(struct import_file *file, tutti_collective collective,
                              const tutti_measurement *measurement, tutti_error *error)
{
  tutti_import_item item = {.measurement = *measurement, .table = file->imported->tables};
  tutti_measurement *made = &item.measurement;
  if (!made->method.algorithm) {
    tutti_status status = tutti_import_method(file, collective, made->ranks, &made->method, &item.settings, error);
    if (status != TUTTI_OK)
      return status;
  }
  if (made->ranks_per_node == 0)
    made->ranks_per_node = tutti_import_ranks_per_node(file, made->ranks);
  snprintf(item.program, sizeof item.program, "%s", file->program);
  add_words(file, &item);
  return tutti_import_append(file, &item, error);
}

/* The name of the file, kept for its items. */
static const char *source_of(const struct import_file *file)
{
  tutti_imported *imported = file->imported;
  const size_t count = imported->sources.count;
  if (count == 0 || strcmp(imported->sources.items[count - 1], file->name) != 0)
    tutti_xpush(&imported->sources, tutti_xstrdup(file->name));
  return imported->sources.items[imported->sources.count - 1];
}

/* Whether its environment can be stored. */
static bool is_text(const tutti_imported *imported, const tutti_import_item *item)
{
  const tutti_import_origin *origin = item->origin > 0 ? &imported->origins.items[item->origin - 1] : NULL;
  return tutti_utf8_is_line(item->settings ? item->settings : "") && tutti_utf8_is_line(item->program) &&
         (!origin || (tutti_utf8_is_line(origin->platform) && tutti_utf8_is_line(origin->library)));
}

void tutti_import_pass_zero(const struct import_file *file, const tutti_measurement *row)
{
  tutti_import_pass(file, "a time of 0: it was not measured, or is shorter than what the benchmark prints",
                    "%s, %" PRIu64 " bytes", tutti_collective_name(row->method.algorithm->collective),
                    row->count * row->type_size);
}

tutti_status tutti_import_append(struct import_file *file, tutti_import_item *item, tutti_error *error)
{
  tutti_measurement *made = &item->measurement;
  tutti_error reason;
  bool fits = !__builtin_mul_overflow(made->count, made->type_size, &made->rank_bytes);
  tutti_total_bytes(made, &made->total_bytes);
  tutti_status status = TUTTI_OK;
  if (made->median <= 0) {
    tutti_import_pass_zero(file, made);
    free(item->settings);
    return status;
  }
  if (!is_text(file->imported, item))
    status = tutti_import_fail(file, error, "settings or names that are not UTF-8", "%s",
                               item->settings ? item->settings : "");
  else if (!fits)
    status = tutti_import_fail(file, error, "the size is too large", "%s", "");
  else if (tutti_store_check_row(tutti_kind_of(TUTTI_ROW_MEASUREMENT), made, &reason) != TUTTI_OK)
    status = tutti_import_fail(file, error, "no valid measurement", "%s", reason.message);
  item->line = file->line;
  if (status == TUTTI_OK) {
    item->file = source_of(file);
    tutti_xpush(file->imported, *item);
  } else
    free(item->settings);
  return status;
}
