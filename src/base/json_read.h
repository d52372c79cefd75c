/* Reading JSON with the place of everything, as the parsers of Open MPI and MPICH take it. base/json.h writes it. */
#ifndef TUTTI_BASE_JSON_READ_H
#define TUTTI_BASE_JSON_READ_H

#include <stdbool.h>
#include <stddef.h>

enum json_kind { JSON_NULL, JSON_BOOLEAN, JSON_NUMBER, JSON_STRING, JSON_ARRAY, JSON_OBJECT };

struct json {
  enum json_kind kind;
  size_t at, key_at; /* positions of the value, and of its key in an object */
  char *key;         /* of a member */
  char *text;        /* of a string, unescaped except \u, or of a number */
  size_t count, capacity;
  struct json *items; /* of an array or object */
};

/* A syntax error, and its position. */
struct json_fault {
  size_t at;
  const char *reason; /* NULL: nothing */
  bool deep;          /* too many levels */
  bool after;         /* a value has been read, and this is the text after it */
};

/* How a parser reads. */
struct json_style {
  bool lenient; /* json-c: comments, strings in single quotes, any number of strtod(), trailing text, and... */
  bool commas;  /* ...commas before a bracket */
  int levels;   /* maximum levels */

  /* NULL, or takes an object of a list that is the value itself or a member of it, whose key is given else: what is
     taken is not kept. False: not taken. */
  bool (*take)(void *context, const char *key, const struct json *item);
  void *context;
};

/* A deviation that lenient parsing accepted, for a note. */
struct json_liberty {
  size_t at;
  const char *what; /* NULL: strict JSON */
};

/* Read a text with a zero byte after it. False: not JSON, *fault has the reason. Free with tutti_json_free() in any
   case. */
bool tutti_json_parse(const char *text, size_t length, const struct json_style *style, struct json *root,
                      struct json_fault *fault, struct json_liberty *liberty);
void tutti_json_free(struct json *root);

/* The first member of that name, or NULL. */
const struct json *tutti_json_member_of(const struct json *object, const char *key);

/* An integer that fits; false if it is another number, or none. */
bool tutti_json_read_integer(const struct json *value, long *number);

#endif
