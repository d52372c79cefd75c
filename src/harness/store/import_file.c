/* Common parts of the readers of other benchmarks: names, and the measurement made from a row. */
#include "harness/store/import_file.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/words.h"
#include "harness/store/private.h"

tutti_status tutti_import_fail(const struct import_file *file, tutti_error *error, const char *format, ...)
{
  char reason[TUTTI_ERROR_LENGTH];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(reason, sizeof reason, format, arguments);
  va_end(arguments);
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s:%zu: %.400s", file->name, file->line, reason);
}

uint64_t tutti_import_type_size(const char *name)
{
  static const struct {
    const char *name;
    uint64_t bytes;
  } types[] = {{"MPI_BYTE", 1},  {"MPI_CHAR", 1},    {"MPI_SIGNED_CHAR", 1}, {"MPI_INT8_T", 1},
               {"MPI_SHORT", 2}, {"MPI_INT", 4},     {"MPI_INT32_T", 4},     {"MPI_FLOAT", 4},
               {"MPI_LONG", 8},  {"MPI_INT64_T", 8}, {"MPI_DOUBLE", 8}};
  for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
    size_t length = strlen(types[i].name);
    if (strncmp(name, types[i].name, length) == 0 && !isalnum((unsigned char)name[length]) && name[length] != '_')
      return types[i].bytes;
  }
  return 0;
}

bool tutti_import_collective(const char *name, size_t length, tutti_collective *collective)
{
  for (int c = 0; c < TUTTI_COLL_COUNT; c++) {
    const char *known = tutti_collective_name((tutti_collective)c);
    if (strlen(known) == length && strncasecmp(known, name, length) == 0) {
      *collective = (tutti_collective)c;
      return true;
    }
  }
  return false;
}

void tutti_import_pass_over(struct import_file *file, const char *name)
{
  char *others = file->imported->others;
  size_t length = strlen(others);
  if (tutti_word_is_listed(others, ',', name) || length + strlen(name) + sizeof ", ..." > TUTTI_IMPORT_OTHERS)
    return;
  snprintf(others + length, TUTTI_IMPORT_OTHERS - length, "%s%s", length ? ", " : "", name);
}

tutti_status tutti_import_add(struct import_file *file, tutti_collective collective,
                              const tutti_measurement *measurement, tutti_error *error)
{
  tutti_import_item item = {.measurement = *measurement};
  tutti_measurement *made = &item.measurement;
  tutti_status status = tutti_import_method(file, collective, made->ranks, &made->method, &item.settings, error);
  if (status != TUTTI_OK)
    return status;
  made->ranks_per_node = tutti_import_ranks_per_node(file, made->ranks);
  item.table = file->imported->tables;
  snprintf(item.program, sizeof item.program, "%s", file->program);
  return tutti_import_append(file, &item, error);
}

tutti_status tutti_import_append(struct import_file *file, tutti_import_item *item, tutti_error *error)
{
  tutti_measurement *made = &item->measurement;
  tutti_error reason;
  bool fits = !__builtin_mul_overflow(made->count, made->type_size, &made->rank_bytes);
  tutti_total_bytes(made, &made->total_bytes);
  tutti_xpush(file->imported, *item);
  if (!fits)
    return tutti_import_fail(file, error, "the size is too large");
  if (tutti_store_check_row(tutti_kind_of(TUTTI_ROW_MEASUREMENT), made, &reason) != TUTTI_OK)
    return tutti_import_fail(file, error, "%s", reason.message);
  return TUTTI_OK;
}
