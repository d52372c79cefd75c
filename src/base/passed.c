#include "tutti/passed.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/memory.h"
#include "base/say.h"
#include "base/text.h"
#include "base/vector.h"

/* A reader that makes reasons of words in a file would let the list grow with the file. */
enum { MOST_REASONS = 64 };

static const char *const other_reasons = "other reasons";

/* One line, whatever the name of the file has in it. */
static char *place_of(const char *file, uint64_t line, const char *detail)
{
  const char *colon = *detail ? ": " : "";
  char *place = line == 0 ? tutti_xprintf("%s%s%s", file, colon, detail)
                          : tutti_xprintf("%s:%" PRIu64 "%s%s", file, line, colon, detail);
  for (char *end = place; (end = strchr(end, '\n'));)
    *end = '?';
  return place;
}

static tutti_passed_reason *find_reason(tutti_passed *passed, const char *why)
{
  for (size_t i = 0; i < passed->reasons.count; i++)
    if (strcmp(passed->reasons.items[i].why, why) == 0)
      return &passed->reasons.items[i];
  return NULL;
}

static tutti_passed_reason *reason_of(tutti_passed *passed, const char *why)
{
  tutti_passed_reason *reason = find_reason(passed, why);
  if (reason)
    return reason;
  if (passed->reasons.count >= MOST_REASONS && why != other_reasons)
    return reason_of(passed, other_reasons);
  tutti_xpush(&passed->reasons, (tutti_passed_reason){.why = tutti_xstrdup(why)});
  return &passed->reasons.items[passed->reasons.count - 1];
}

static tutti_status refuse(const char *file, uint64_t line, const char *why, const char *detail, tutti_error *error)
{
  char *place = place_of(file, line, "");
  tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: %s%s%s", place, why, *detail ? ": " : "", detail);
  free(place);
  return TUTTI_ERR_ARGUMENT;
}

tutti_status tutti_pass_over(tutti_passed *passed, const char *file, uint64_t line, const char *why, tutti_error *error,
                             const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  char *detail = tutti_xvprintf(format, arguments);
  va_end(arguments);
  tutti_status status = TUTTI_OK;
  if (!passed || passed->strict)
    status = refuse(file, line, why, detail, error);
  else {
    tutti_passed_reason *reason = reason_of(passed, why);
    passed->count++;
    if (reason->count++ < TUTTI_PASSED_SHOWN || passed->all)
      tutti_xpush(&reason->places, place_of(file, line, detail));
  }
  free(detail);
  return status;
}

static void print_reason(const tutti_passed_reason *reason, FILE *stream, int indent)
{
  const uint64_t more = reason->count - reason->places.count;
  tutti_say(stream, "%*s%" PRIu64 ": %s\n", indent, "", reason->count, reason->why);
  for (size_t i = 0; i < reason->places.count; i++)
    tutti_say(stream, "%*s%s\n", indent + 2, "", reason->places.items[i]);
  if (more > 0)
    tutti_say(stream, "%*sand %" PRIu64 " more (--verbose names all)\n", indent + 2, "", more);
}

void tutti_passed_print(const tutti_passed *passed, FILE *stream, int indent)
{
  if (passed->count > 0)
    tutti_say(stream, "%*spassed over, %" PRIu64 " in all:\n", indent, "", passed->count);
  for (size_t i = 0; i < passed->reasons.count; i++)
    print_reason(&passed->reasons.items[i], stream, indent + 2);
}

const char *tutti_passed_first(const tutti_passed *passed)
{
  return passed->count > 0 ? passed->reasons.items[0].places.items[0] : "";
}

void tutti_json_passed(tutti_json *json, const char *key, const tutti_passed *passed)
{
  tutti_json_array(json, key);
  for (size_t i = 0; i < passed->reasons.count; i++) {
    const tutti_passed_reason *reason = &passed->reasons.items[i];
    tutti_json_object(json, NULL);
    tutti_json_string(json, "why", reason->why);
    tutti_json_count(json, "count", reason->count);
    tutti_json_array(json, "places");
    for (size_t place = 0; place < reason->places.count; place++)
      tutti_json_string(json, NULL, reason->places.items[place]);
    tutti_json_end(json);
    tutti_json_end(json);
  }
  tutti_json_end(json);
}

void tutti_passed_free(tutti_passed *passed)
{
  for (size_t i = 0; i < passed->reasons.count; i++) {
    tutti_passed_reason *reason = &passed->reasons.items[i];
    for (size_t place = 0; place < reason->places.count; place++)
      free(reason->places.items[place]);
    tutti_vector_free(&reason->places);
    free(reason->why);
  }
  tutti_vector_free(&passed->reasons);
  passed->count = 0;
}
