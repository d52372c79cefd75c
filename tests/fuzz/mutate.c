#include "mutate.h"

#include "unit/base/random.h"

/* What a mutation may look at. */
struct source {
  const fuzz_seeds *seeds;
  uint64_t *state;
};

/* A part of a text. */
struct span {
  size_t from, to;
};

static size_t below(const struct source *source, size_t bound)
{
  return (size_t)random_below(source->state, bound);
}

static const fuzz_text *any_seed(const struct source *source)
{
  return &source->seeds->texts[below(source, source->seeds->count)];
}

/* Some 1 to 64 bytes; fewer at the end. */
static struct span any_span(const struct source *source, const fuzz_text *text)
{
  size_t from = below(source, text->length + 1), length = 1 + below(source, 64);
  return (struct span){from, from + length < text->length ? from + length : text->length};
}

/* A line with its end. */
static struct span any_line(const struct source *source, const fuzz_text *text)
{
  size_t from = below(source, text->length + 1), to = from;
  while (from > 0 && text->bytes[from - 1] != '\n')
    from--;
  while (to < text->length && text->bytes[to] != '\n')
    to++;
  return (struct span){from, to < text->length ? to + 1 : to};
}

/* A run of what words are made of, or one other byte. */
static struct span any_token(const struct source *source, const fuzz_text *text)
{
  static const char word[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
  struct span token = {below(source, text->length + 1), 0};
  while (token.from > 0 && memchr(word, text->bytes[token.from - 1], sizeof word - 1))
    token.from--;
  token.to = token.from;
  while (token.to < text->length && memchr(word, text->bytes[token.to], sizeof word - 1))
    token.to++;
  token.to += token.to == token.from && token.to < text->length;
  return token;
}

static void put(fuzz_text *text, struct span span, const fuzz_text *from, struct span what)
{
  fuzz_text_replace(text, span.from, span.to, from->bytes + what.from, what.to - what.from);
}

static struct span before(struct span span)
{
  return (struct span){span.from, span.from};
}

/* ---- bytes ---- */

static void flip(const struct source *source, fuzz_text *text)
{
  if (text->length > 0)
    text->bytes[below(source, text->length)] ^= (char)(1 << below(source, 8));
}

static void insert_bytes(const struct source *source, fuzz_text *text)
{
  static const char telling[] = "\0\n\r\t\\'\"{}()<>|:,.;/?%#=&*-+ \xff\x80";
  char bytes[4];
  size_t length = 1 + below(source, sizeof bytes), at = below(source, text->length + 1);
  for (size_t i = 0; i < length; i++)
    bytes[i] = below(source, 4) ? telling[below(source, sizeof telling - 1)] : (char)below(source, 256);
  fuzz_text_replace(text, at, at, bytes, length);
}

static void delete_bytes(const struct source *source, fuzz_text *text)
{
  struct span span = any_span(source, text);
  fuzz_text_replace(text, span.from, span.to, "", 0);
}

static void duplicate_bytes(const struct source *source, fuzz_text *text)
{
  struct span what = any_span(source, text), where = any_span(source, text);
  put(text, before(where), text, what);
}

static void truncate_text(const struct source *source, fuzz_text *text)
{
  fuzz_text_replace(text, below(source, text->length + 1), text->length, "", 0);
}

/* ---- lines and tokens ---- */

static void duplicate_line(const struct source *source, fuzz_text *text)
{
  struct span what = any_line(source, text), where = any_line(source, text);
  put(text, before(where), text, what);
}

static void delete_line(const struct source *source, fuzz_text *text)
{
  struct span span = any_line(source, text);
  fuzz_text_replace(text, span.from, span.to, "", 0);
}

/* Exchange two parts that do not overlap. */
static void swap(fuzz_text *text, struct span one, struct span other)
{
  struct span first = one.from < other.from ? one : other, second = one.from < other.from ? other : one;
  if (first.to > second.from)
    return;
  size_t length = second.to - second.from;
  put(text, before(first), text, second);
  struct span shifted = {second.from + length, second.to + length};
  if (shifted.to > text->length) /* the text was cut */
    return;
  struct span moved = {first.from + length, first.to + length};
  put(text, shifted, text, moved);
  fuzz_text_replace(text, moved.from, moved.to, "", 0);
}

static void swap_lines(const struct source *source, fuzz_text *text)
{
  swap(text, any_line(source, text), any_line(source, text));
}

static void swap_tokens(const struct source *source, fuzz_text *text)
{
  swap(text, any_token(source, text), any_token(source, text));
}

static void borrow_line(const struct source *source, fuzz_text *text)
{
  const fuzz_text *other = any_seed(source);
  put(text, before(any_line(source, text)), other, any_line(source, other));
}

static void borrow_token(const struct source *source, fuzz_text *text)
{
  const fuzz_text *other = any_seed(source);
  put(text, any_token(source, text), other, any_token(source, other));
}

/* The beginning of this text, the end of another. */
static void splice(const struct source *source, fuzz_text *text)
{
  const fuzz_text *other = any_seed(source);
  size_t cut = below(source, text->length + 1), from = below(source, other->length + 1);
  fuzz_text_replace(text, cut, text->length, other->bytes + from, other->length - from);
}

/* ---- numbers and runs ---- */

static void change_number(const struct source *source, fuzz_text *text)
{
  static const char *const extremes[] = {"0",
                                         "-1",
                                         "00",
                                         "1",
                                         "65536",
                                         "1000001",
                                         "2147483647",
                                         "2147483648",
                                         "4294967296",
                                         "9223372036854775807",
                                         "18446744073709551616",
                                         "99999999999999999999999999999999999999999",
                                         "1e308",
                                         "1e-320",
                                         "1e400",
                                         "nan",
                                         "inf",
                                         "0x10",
                                         "1.5"};
  size_t at = below(source, text->length + 1), end;
  while (at < text->length && !(text->bytes[at] >= '0' && text->bytes[at] <= '9'))
    at++;
  for (end = at; end < text->length && text->bytes[end] >= '0' && text->bytes[end] <= '9';)
    end++;
  const char *number = extremes[below(source, sizeof extremes / sizeof *extremes)];
  fuzz_text_replace(text, at, end, number, strlen(number));
}

/* A piece of the text again and again: doubled up to twelve times. */
static void run_on(const struct source *source, fuzz_text *text)
{
  struct span what = below(source, 2) ? any_token(source, text) : any_line(source, text);
  size_t times = 1 + below(source, 12), length = what.to - what.from;
  for (size_t i = 0; i < times && length <= FUZZ_MAX_BYTES / 4; i++) {
    fuzz_text_replace(text, what.from, what.from, text->bytes + what.from, length);
    length *= 2;
  }
}

typedef void mutation(const struct source *source, fuzz_text *text);

static mutation *const mutations[] = {
    flip,           flip,        insert_bytes,  insert_bytes,  delete_bytes, duplicate_bytes, truncate_text,
    duplicate_line, delete_line, swap_lines,    swap_tokens,   swap_tokens,  borrow_line,     borrow_token,
    borrow_token,   splice,      change_number, change_number, run_on};

void fuzz_mutate(const fuzz_seeds *seeds, uint64_t *state, fuzz_text *text)
{
  struct source source = {seeds, state};
  const fuzz_text *seed = any_seed(&source);
  size_t changes = 1 + below(&source, 8);
  changes = changes > 4 ? 1 : changes; /* one, most often */
  fuzz_text_set(text, seed->bytes, seed->length);
  for (size_t i = 0; i < changes; i++)
    mutations[below(&source, sizeof mutations / sizeof *mutations)](&source, text);
}
