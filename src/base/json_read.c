/* A JSON parser that keeps places. */
#include "base/json_read.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

struct parser {
  const char *text;
  size_t length;
  const struct json_style *style;
  struct json_fault *fault;
  struct json_liberty *liberty;
  size_t at;
  int level;
};

static bool fail(struct parser *parser, size_t at, const char *reason)
{
  if (!parser->fault->reason)
    *parser->fault = (struct json_fault){.at = at, .reason = reason};
  return false;
}

static void note_liberty(struct parser *parser, const char *what)
{
  if (!parser->liberty->what)
    *parser->liberty = (struct json_liberty){.at = parser->at, .what = what};
}

static char peek(const struct parser *parser)
{
  return parser->at < parser->length ? parser->text[parser->at] : '\0';
}

/* A comment, if one is allowed and begins here. */
static bool skip_comment(struct parser *parser)
{
  const char *text = parser->text + parser->at;
  if (!parser->style->lenient || text[0] != '/' || (text[1] != '/' && text[1] != '*'))
    return false;
  note_liberty(parser, "a comment");
  const char *end = text[1] == '/' ? strchr(text, '\n') : strstr(text + 2, "*/");
  parser->at = end ? (size_t)(end - parser->text) + (text[1] == '/' ? 1 : 2) : parser->length;
  return true;
}

static void skip_blanks(struct parser *parser)
{
  do
    while (parser->at < parser->length && strchr(" \t\r\n", peek(parser)) && peek(parser))
      parser->at++;
  while (skip_comment(parser));
}

static char unescaped(char c)
{
  static const char names[] = "nrtbf", values[] = "\n\r\t\b\f";
  const char *found = strchr(names, c);
  return found && c ? values[found - names] : c;
}

static bool parse_string(struct parser *parser, char **string)
{
  const char *text = parser->text;
  size_t begin = parser->at, length = 0;
  char quote = text[parser->at++];
  if (quote == '\'')
    note_liberty(parser, "a string in single quotes");
  size_t end = parser->at;
  while (end < parser->length && text[end] != quote)
    end += text[end] == '\\' && end + 1 < parser->length ? 2 : 1;
  if (end >= parser->length)
    return fail(parser, begin, "a string without an end");
  *string = tutti_xmalloc(end - parser->at + 1);
  for (; parser->at < end; parser->at++) {
    char c = text[parser->at];
    (*string)[length++] = c == '\\' ? unescaped(text[++parser->at]) : c;
  }
  (*string)[length] = '\0';
  parser->at = end + 1;
  return true;
}

static bool is_quote(const struct parser *parser)
{
  return peek(parser) == '"' || (peek(parser) == '\'' && parser->style->lenient);
}

static bool parse_value(struct parser *parser, struct json *value);

static bool parse_key(struct parser *parser, struct json *item)
{
  item->key_at = parser->at;
  if (!is_quote(parser))
    return fail(parser, parser->at, "a key in quotes is expected");
  if (!parse_string(parser, &item->key))
    return false;
  skip_blanks(parser);
  if (peek(parser) != ':')
    return fail(parser, parser->at, "a colon is expected");
  parser->at++;
  skip_blanks(parser);
  return true;
}

static struct json *add_item(const struct parser *parser, struct json *parent)
{
  tutti_xpush(parent, ((struct json){.key_at = parser->at}));
  return &parent->items[parent->count - 1];
}

/* After an item: *more is whether another one follows. */
static bool goes_on(struct parser *parser, char close, bool *more)
{
  skip_blanks(parser);
  *more = peek(parser) == ',';
  if (!*more && peek(parser) != close)
    return fail(parser, parser->at, close == '}' ? "a comma or '}' is expected" : "a comma or ']' is expected");
  parser->at++;
  skip_blanks(parser);
  if (*more && peek(parser) == close) {
    if (!parser->style->commas)
      return fail(parser, parser->at, "nothing after a comma");
    note_liberty(parser, "a comma before a bracket");
    parser->at++;
    *more = false;
  }
  return true;
}

/* Give the last item to whom it is for. */
static void give_item(const struct parser *parser, struct json *value)
{
  struct json *item = &value->items[value->count - 1];
  if (parser->style->take && value->kind == JSON_ARRAY && item->kind == JSON_OBJECT && parser->level <= 2 &&
      parser->style->take(parser->style->context, value->key, item)) {
    tutti_json_free(item);
    value->count--;
  }
}

static bool parse_items(struct parser *parser, struct json *value)
{
  char close = value->kind == JSON_OBJECT ? '}' : ']';
  bool more = true;
  if (++parser->level > parser->style->levels) {
    fail(parser, parser->at, "too many levels");
    parser->fault->deep = true;
    return false;
  }
  parser->at++;
  skip_blanks(parser);
  if (peek(parser) == close) {
    parser->at++;
    more = false;
  }
  while (more) {
    struct json *item = add_item(parser, value);
    if ((close == '}' && !parse_key(parser, item)) || !parse_value(parser, item))
      return false;
    give_item(parser, value);
    if (!goes_on(parser, close, &more))
      return false;
  }
  parser->level--;
  return true;
}

/* The end of a number of the JSON grammar: without leading zeros, a sign '+', other bases. */
static const char *number_end(const char *text)
{
  text += *text == '-';
  text += *text == '0' ? 1 : strspn(text, "0123456789");
  if (*text == '.' && isdigit((unsigned char)text[1]))
    text += 1 + strspn(text + 1, "0123456789");
  size_t sign = (*text == 'e' || *text == 'E') && (text[1] == '+' || text[1] == '-');
  if ((*text == 'e' || *text == 'E') && isdigit((unsigned char)text[1 + sign]))
    text += 1 + sign + strspn(text + 1 + sign, "0123456789");
  return text;
}

static bool parse_word(struct parser *parser, struct json *value)
{
  const char *text = parser->text + parser->at;
  size_t length = 0;
  while (isalnum((unsigned char)text[length]) || (text[length] && strchr("+-.", text[length])))
    length++;
  bool number = isdigit((unsigned char)text[*text == '-']);
  if (number) {
    char *end;
    strtod(text, &end);
    if ((parser->style->lenient ? end : number_end(text)) != text + length)
      return fail(parser, parser->at, "not a number");
  } else if (length != 4 && length != 5)
    return fail(parser, parser->at, "a value is expected");
  else if (strncmp(text, "true", 4) != 0 && strncmp(text, "null", 4) != 0 && strncmp(text, "false", 5) != 0)
    return fail(parser, parser->at, "a value is expected");
  value->kind = number ? JSON_NUMBER : *text == 'n' ? JSON_NULL : JSON_BOOLEAN;
  value->text = tutti_xstrndup(text, length);
  parser->at += length;
  return true;
}

static bool parse_value(struct parser *parser, struct json *value)
{
  value->at = parser->at;
  if (is_quote(parser)) {
    value->kind = JSON_STRING;
    return parse_string(parser, &value->text);
  }
  if (peek(parser) != '{' && peek(parser) != '[')
    return parse_word(parser, value);
  value->kind = peek(parser) == '{' ? JSON_OBJECT : JSON_ARRAY;
  return parse_items(parser, value);
}

bool tutti_json_parse(const char *text, size_t length, const struct json_style *style, struct json *root,
                      struct json_fault *fault, struct json_liberty *liberty)
{
  struct parser parser = {.text = text, .length = length, .style = style, .fault = fault, .liberty = liberty};
  *root = (struct json){0};
  *fault = (struct json_fault){0};
  *liberty = (struct json_liberty){0};
  skip_blanks(&parser);
  if (!parse_value(&parser, root))
    return false;
  skip_blanks(&parser);
  if (parser.at < length && !style->lenient) {
    fail(&parser, parser.at, "text after the end");
    fault->after = true;
    return false;
  }
  if (parser.at < length)
    note_liberty(&parser, "text after the end");
  return true;
}

void tutti_json_free(struct json *root)
{
  for (size_t i = 0; i < root->count; i++)
    tutti_json_free(&root->items[i]);
  free(root->items);
  free(root->key);
  free(root->text);
  *root = (struct json){0};
}

const struct json *tutti_json_member_of(const struct json *object, const char *key)
{
  for (size_t i = 0; object->kind == JSON_OBJECT && i < object->count; i++)
    if (strcmp(object->items[i].key, key) == 0)
      return &object->items[i];
  return NULL;
}

bool tutti_json_read_integer(const struct json *value, long *number)
{
  char *end;
  if (value->kind != JSON_NUMBER)
    return false;
  errno = 0;
  *number = strtol(value->text, &end, 10);
  return !*end && errno == 0;
}
