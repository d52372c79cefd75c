/* The output of another benchmark, from a text. */
#ifndef TUTTI_TESTS_IMPORT_FIXTURE_H
#define TUTTI_TESTS_IMPORT_FIXTURE_H

#include "tutti/import.h"
#include "unit/harness/store/store_fixture.h"

static const tutti_import_how four = {.format = TUTTI_IMPORT_GUESS, .ranks = 4, .ranks_per_node = 2};

static inline tutti_status read_text(tutti_imported *imported, const tutti_import_how *how, const char *text,
                                     tutti_error *error)
{
  FILE *stream = fmemopen((void *)text, strlen(text), "r");
  assert_non_null(stream);
  tutti_status status = tutti_import_read(imported, how, stream, "out.txt", error);
  fclose(stream);
  return status;
}

/* How many items were passed over for a reason that begins so; the first place of the reason must have the text. */
static inline uint64_t passed_over(const tutti_imported *imported, const char *why, const char *text)
{
  for (size_t i = 0; i < imported->passed.reasons.count; i++) {
    const tutti_passed_reason *reason = &imported->passed.reasons.items[i];
    if (strncmp(reason->why, why, strlen(why)) == 0 && strstr(reason->places.items[0], text))
      return reason->count;
  }
  return 0;
}

#endif
