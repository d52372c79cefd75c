/* Records as lines: printed, and refused. */
#ifndef TUTTI_TESTS_RECORD_FIXTURE_H
#define TUTTI_TESTS_RECORD_FIXTURE_H

#include "tutti/record.h"
#include "unit/test.h"

/* The printed line without its newline; freed by the caller. */
static inline char *print_record(const tutti_record *record)
{
  char *text = NULL;
  size_t length = 0;
  FILE *stream = open_memstream(&text, &length);
  assert_non_null(stream);
  tutti_record_print(stream, record);
  assert_int_equal(fclose(stream), 0);
  assert_true(length > 0 && text[length - 1] == '\n');
  text[length - 1] = '\0';
  assert_null(strchr(text, '\n'));
  return text;
}

/* The printed record is read, and printed the same again; `record` becomes the record read. */
static inline void assert_prints_again(tutti_record *record)
{
  tutti_record read;
  char *line = print_record(record);
  if (tutti_record_parse(line, &read, REASON) != TUTTI_OK)
    fail_msg("%s: %s", line, error.message);
  assert_int_equal(read.kind, record->kind);
  char *again = print_record(&read);
  assert_string_equal(line, again);
  free(line);
  free(again);
  *record = read;
}

/* The good line with `to` instead of `from` is refused with a message that names `named`. */
static inline void assert_record_refused(const char *good, const char *from, const char *to, const char *named)
{
  char line[1024];
  tutti_record record;
  assert_int_equal(tutti_record_parse(good, &record, REASON), TUTTI_OK);
  const char *at = strstr(good, from);
  assert_non_null(at);
  snprintf(line, sizeof line, "%.*s%s%s", (int)(at - good), good, to, at + strlen(from));
  assert_int_equal(tutti_record_parse(line, &record, REASON), TUTTI_ERR_ARGUMENT);
  assert_int_equal(record.kind, TUTTI_RECORD_NONE);
  assert_contains(error.message, named);
}

#endif
