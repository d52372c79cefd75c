#include "base/json.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>

#include "base/utf8.h"

enum { USUAL_DIGITS = 12 };

tutti_json tutti_json_begin(FILE *stream)
{
  return (tutti_json){.stream = stream, .line_depth = 2};
}

tutti_json tutti_json_begin_script(FILE *stream)
{
  return (tutti_json){.stream = stream, .line_depth = 4, .script = true};
}

/* ---- strings ---- */

static void put_character(FILE *stream, const char *text, int length, uint32_t code)
{
  if (length < 0)
    fputs("\\ufffd", stream);
  else if (code == '"' || code == '\\')
    fprintf(stream, "\\%c", (int)code);
  else if ((!tutti_utf8_is_shown(code) && code < 0x10000) || tutti_utf8_begins_command(text))
    fprintf(stream, "\\u%04x", (unsigned)code);
  else
    fwrite(text, 1, (size_t)length, stream);
}

static void put_string(FILE *stream, const char *text, bool script)
{
  uint32_t code = 0;
  int length;
  fputc('"', stream);
  while ((length = tutti_utf8_decode(text, &code)) != 0) {
    if (script && length > 0 && code == '<')
      fputs("\\u003c", stream);
    else
      put_character(stream, text, length, code);
    text += length < 0 ? 1 : length;
  }
  fputc('"', stream);
}

void tutti_json_quote(FILE *stream, const char *text)
{
  put_string(stream, text, false);
}

/* ---- between values ---- */

static uint32_t bit(const tutti_json *json)
{
  return UINT32_C(1) << json->depth;
}

/* Whether the next item begins a line. */
static bool begins_line(const tutti_json *json, bool container)
{
  bool array = json->arrays & bit(json);
  if (json->depth == 1 && !array)
    return (container || json->after_lines) && json->filled & bit(json);
  return container && array && json->depth <= json->line_depth;
}

static void begin_item(tutti_json *json, const char *key, bool container)
{
  if (json->depth > 0) {
    bool line = begins_line(json, container);
    if (json->filled & bit(json))
      fputs(line || json->script ? "," : ", ", json->stream);
    if (line)
      fprintf(json->stream, "\n%*s", json->script ? 0 : json->depth, "");
    json->filled |= bit(json);
    if (line && json->arrays & bit(json))
      json->lined |= bit(json);
  }
  if (json->depth == 1)
    json->after_lines = container;
  if (key) {
    put_string(json->stream, key, json->script);
    fputs(json->script ? ":" : ": ", json->stream);
  }
}

static void end_item(tutti_json *json)
{
  if (json->depth == 0 && !json->script)
    fputc('\n', json->stream);
}

static void open_container(tutti_json *json, const char *key, bool array)
{
  begin_item(json, key, true);
  fputc(array ? '[' : '{', json->stream);
  assert(json->depth < 31);
  json->depth++;
  json->arrays = array ? json->arrays | bit(json) : json->arrays & ~bit(json);
  json->filled &= ~bit(json);
  json->lined &= ~bit(json);
}

void tutti_json_object(tutti_json *json, const char *key)
{
  open_container(json, key, false);
}

void tutti_json_array(tutti_json *json, const char *key)
{
  open_container(json, key, true);
}

void tutti_json_end(tutti_json *json)
{
  assert(json->depth > 0);
  if (json->lined & bit(json) && !json->script)
    fprintf(json->stream, "\n%*s", json->depth - 1, "");
  fputc(json->arrays & bit(json) ? ']' : '}', json->stream);
  json->depth--;
  end_item(json);
}

/* ---- values ---- */

void tutti_json_string(tutti_json *json, const char *key, const char *text)
{
  begin_item(json, key, false);
  if (text)
    put_string(json->stream, text, json->script);
  else
    fputs("null", json->stream);
  end_item(json);
}

void tutti_json_integer(tutti_json *json, const char *key, int64_t value)
{
  begin_item(json, key, false);
  fprintf(json->stream, "%" PRId64, value);
  end_item(json);
}

void tutti_json_count(tutti_json *json, const char *key, uint64_t value)
{
  begin_item(json, key, false);
  fprintf(json->stream, "%" PRIu64, value);
  end_item(json);
}

void tutti_json_boolean(tutti_json *json, const char *key, bool value)
{
  begin_item(json, key, false);
  fputs(value ? "true" : "false", json->stream);
  end_item(json);
}

void tutti_json_null(tutti_json *json, const char *key)
{
  tutti_json_string(json, key, NULL);
}

void tutti_json_real(tutti_json *json, const char *key, double value, int digits)
{
  begin_item(json, key, false);
  if (isfinite(value))
    fprintf(json->stream, "%.*g", digits > 0 ? digits : USUAL_DIGITS, value);
  else
    fputs("null", json->stream);
  end_item(json);
}
