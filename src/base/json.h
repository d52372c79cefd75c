/*
 * Writing JSON (RFC 8259) to a stream, value by value:
 *
 *   tutti_json json = tutti_json_begin(stdout);
 *   tutti_json_object(&json, NULL);
 *   tutti_json_string(&json, "platform", "bgp");
 *   tutti_json_array(&json, "ranks");
 *   tutti_json_integer(&json, NULL, 2);
 *   tutti_json_end(&json);
 *   tutti_json_end(&json);
 *
 * Commas, line breaks and indentation are the writer's. Items of a document's arrays that are objects or arrays, and
 * the arrays and objects themselves, begin lines of their own; deeper nested values are on one line. A key is given
 * in objects and is NULL in arrays and for the document itself, which ends with a line break. The caller checks
 * the stream by ferror() at the end.
 */
#ifndef TUTTI_BASE_JSON_H
#define TUTTI_BASE_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "tutti/passed.h"

typedef struct tutti_json {
  FILE *stream;
  bool script;      /* inside a <script> element of HTML */
  int depth;        /* containers that are open; at most 31 */
  int line_depth;   /* up to which items of arrays begin lines; 2 */
  uint32_t arrays;  /* of each depth, by bit: whether the container is an array, */
  uint32_t filled;  /* has an item, */
  uint32_t lined;   /* has items on lines of their own; */
  bool after_lines; /* the last item of a document was a container */
} tutti_json;

tutti_json tutti_json_begin(FILE *stream);

/* The same for a document inside a <script> element: as short as can be, and without a "<", which could end it. */
tutti_json tutti_json_begin_script(FILE *stream);

/* Open an object or an array; tutti_json_end() closes the one opened last. */
void tutti_json_object(tutti_json *json, const char *key);
void tutti_json_array(tutti_json *json, const char *key);
void tutti_json_end(tutti_json *json);

/* A string, or null for NULL. A byte that is not UTF-8 becomes U+FFFD. */
void tutti_json_string(tutti_json *json, const char *key, const char *text);
void tutti_json_integer(tutti_json *json, const char *key, int64_t value);
void tutti_json_count(tutti_json *json, const char *key, uint64_t value);
void tutti_json_boolean(tutti_json *json, const char *key, bool value);
void tutti_json_null(tutti_json *json, const char *key);

/* A number with at most `digits` significant digits, 12 if that is 0; null if it is not finite. */
void tutti_json_real(tutti_json *json, const char *key, double value, int digits);

/* What a reader passed over: an array of {why, count, places}. */
void tutti_json_passed(tutti_json *json, const char *key, const tutti_passed *passed);

/* A string in quotes, escaped, and nothing else. */
void tutti_json_quote(FILE *stream, const char *text);

#endif
