/*
 * Platform files that try to reach beyond themselves: a seed with some of its values, options, names and declarations
 * replaced, most by ones that carry something else. The same numbers give the same bytes.
 *
 * usage: smuggle FIRST COUNT VICTIM SECRET FOLDER SEED.xml...   writes FOLDER/NNNNNN.xml
 *
 * VICTIM: a file that must not be written; SECRET: one that must not be read. Both paths stand in the values.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "guard/drawn.h"

enum { MAX_FILE = 1 << 20 };

/* ---- words ---- */

/* Options of all kinds, with a good value. */
static const char *const good[][2] = {
#define TRUTH(name)                     {name, "no"},
#define WORDS(name, words)              {name, words},
#define INTEGER(name, least, most)      {name, "64"},
#define NUMBER(name, least, most, unit) {name, "0.5"},
#define VALUE(name, read)
#define REFUSED(name, reason)
#include "harness/platforms/platform_options.def"
#undef TRUTH
#undef WORDS
#undef INTEGER
#undef NUMBER
#undef VALUE
#undef REFUSED
    {"smpi/os", "0:1e-6:0"},     {"smpi/bw-factor", "0:1;65472:0.94"}, {"smpi/IB-penalty-factors", "0.9;0.9;1.3"},
    {"smpi/host-speed", "1e9f"}, {"smpi/bcast", "binomial_tree"},      {"smpi/send-is-detached-thresh", "65536"}};

static const char *const bad[] = {
#define TRUTH(name)
#define WORDS(name, words)
#define INTEGER(name, least, most)
#define NUMBER(name, least, most, unit)
#define VALUE(name, read)
#define REFUSED(name, reason) name,
#include "harness/platforms/platform_options.def"
    "tracing/filename",
    "tracing/comment-file",
    "model-check/dot-output",
    "smpi/trace-file",
    "log",
    "help",
    "--cfg",
    "smpi/os tracing",
    "smpi/os:0:0:0 tracing",
    "contexts",
    "storage/path",
    "viva/categorized"};

static const char *const payloads[] = {"tracing:yes tracing/smpi:yes tracing/filename:@V",
                                       "tracing:yes,tracing/smpi:yes,tracing/filename:@V",
                                       "smpi/replay:@S",
                                       "smpi/comp-adjustment-file:@S",
                                       "--cfg=tracing:yes",
                                       "--log=root.app:file:@V",
                                       "-platform @S",
                                       "-trace-file @V",
                                       "-wrapper @V",
                                       "$(touch @V)",
                                       "`touch @V`",
                                       ";touch @V;",
                                       "|touch @V",
                                       "&amp;touch @V&amp;",
                                       "&gt;@V",
                                       "'&gt;@V'",
                                       "@V",
                                       "@S",
                                       "file:@S",
                                       "smpi/privatize-libs:@S",
                                       "smpi/shared-malloc-hugepage:@V",
                                       "path:/etc",
                                       "*",
                                       "~"};
static const char *const glue[] = {" ",      ",",   "&#32;", "&#9;",     "&#10;", "&#13;", "&#x20;",
                                   "&#44;",  "\t",  "\n",    "&#160;",   ";",     ":",     "&quot;",
                                   "&apos;", "&x;", "",      "&#x2028;", "&#x85;"};
static const char *const names[] = {"-np",
                                    "--cfg=tracing:yes",
                                    "a$(touch @V)",
                                    "a b",
                                    "a:2",
                                    "`touch @V`",
                                    "../@V",
                                    "a\nb",
                                    "a&#10;b",
                                    "'",
                                    "a;b",
                                    "a|b",
                                    "a\\",
                                    "h\xc3\xb6st",
                                    "%s%n",
                                    "a&#x9b;1m",
                                    ""};
static const char *const files[] = {"@S",        "@V",         "secret.txt",         "../secret.txt", "./secret.txt",
                                    "|touch @V", "/dev/stdin", "/proc/self/environ", "/etc/hostname", "missing.trace",
                                    "-"};

/* ---- a text that is edited ---- */

struct text {
  char bytes[MAX_FILE];
  struct aims aims;
};

static void replace(struct text *text, char *at, size_t length, const char *with)
{
  const size_t rest = strlen(at + length) + 1, more = strlen(with);
  if (strlen(text->bytes) + more + 1 >= MAX_FILE)
    return;
  memmove(at + more, at + length, rest);
  memcpy(at, with, more);
}

/* Behind the start tag of the first element of this name, or NULL. */
static char *behind_tag(struct text *text, const char *tag)
{
  char *at = strstr(text->bytes, tag), *end = at ? strchr(at, '>') : NULL;
  return end && end[-1] != '/' ? end + 1 : NULL;
}

static void insert_option(struct text *text, const char *name, const char *value)
{
  char prop[2 * MAX_VALUE];
  char *config = behind_tag(text, "<config"), *platform = behind_tag(text, "<platform");
  snprintf(prop, sizeof prop,
           config ? "<prop id=\"%s\" value=\"%s\"/>" : "<config><prop id=\"%s\" value=\"%s\"/></config>", name, value);
  if (config || platform)
    replace(text, config ? config : platform, 0, prop);
}

/* ---- the edits ---- */

static void set_good_option(struct text *text)
{
  const size_t i = draw(sizeof good / sizeof *good);
  char value[MAX_VALUE];
  snprintf(value, sizeof value, "%.*s", (int)strcspn(good[i][1], " "), good[i][1]);
  insert_option(text, good[i][0], value);
}

static void set_bad_option(struct text *text)
{
  char value[MAX_VALUE];
  expand(&text->aims, PICK(payloads), value);
  insert_option(text, PICK(bad), value);
}

static void smuggle_value(struct text *text)
{
  const size_t i = draw(sizeof good / sizeof *good);
  char payload[MAX_VALUE], value[2 * MAX_VALUE];
  expand(&text->aims, PICK(payloads), payload);
  snprintf(value, sizeof value, "%.*s%s%.400s", (int)strcspn(good[i][1], " "), good[i][1], PICK(glue), payload);
  insert_option(text, good[i][0], value);
}

/* The value of the attribute at a random place of the text; NULL if there is none after it. */
static char *find_value(struct text *text, size_t *length)
{
  char *at = strstr(text->bytes + draw(strlen(text->bytes)), "=\"");
  if (!at)
    return NULL;
  *length = strcspn(at + 2, "\"");
  return at[2 + *length] ? at + 2 : NULL;
}

static void change_value(struct text *text, const char *form)
{
  char value[MAX_VALUE], whole[2 * MAX_VALUE];
  size_t length;
  char *at = find_value(text, &length);
  if (!at)
    return;
  expand(&text->aims, form, value);
  snprintf(whole, sizeof whole, "%.*s%s%s", draw(2) && length < 400 ? (int)length : 0, at, draw(2) ? PICK(glue) : "",
           value);
  replace(text, at, length, whole);
}

static void change_any(struct text *text)
{
  change_value(text, draw(2) ? PICK(payloads) : PICK(names));
}

static void name_file(struct text *text)
{
  static const char *const attributes[] = {"speed_file", "state_file", "availability_file"};
  char value[MAX_VALUE], added[2 * MAX_VALUE];
  char *host = strstr(text->bytes, "<host ");
  expand(&text->aims, PICK(files), value);
  snprintf(added, sizeof added, "%s=\"%.400s\" ", PICK(attributes), value);
  if (host)
    replace(text, host + strlen("<host "), 0, added);
}

/* A disk of the first host: the file systems of SimGrid read the file that holds its content. */
static void add_disk(struct text *text)
{
  static const char *const parts[] = {"<prop id=\"content\" value=\"@S\"/>",
                                      "<prop id=\"content\" value=\"secret.txt\"/><prop id=\"mount\" value=\"/\"/>",
                                      "<prop id=\"content\" value=\"|touch @V\"/><prop id=\"size\" value=\"1GB\"/>",
                                      "<prop id=\"size\" value=\"@S\"/><prop id=\"mount\" value=\"@V\"/>",
                                      "</disk><prop id=\"remote_disk\" value=\"@S:d:h\"/><disk id=\"e\" "
                                      "read_bw=\"1MBps\" write_bw=\"1MBps\">"};
  char part[MAX_VALUE], disk[2 * MAX_VALUE];
  char *host = strstr(text->bytes, "<host "), *end = host ? strchr(host, '>') : NULL;
  expand(&text->aims, PICK(parts), part);
  const bool empty = end && end[-1] == '/';
  snprintf(disk, sizeof disk, ">\n<disk id=\"d\" read_bw=\"1MBps\" write_bw=\"1MBps\">%s</disk>%s", part,
           empty ? "</host>" : "");
  if (end)
    replace(text, end - empty, (size_t)1 + empty, disk);
}

/* What parsers may take differently. */
static void declare(struct text *text)
{
  static const char *const heads[] = {
      "<?xml version=\"1.0\" encoding=\"ISO-2022-JP\"?>", "<?xml version=\"1.0\" encoding=\"UTF-7\"?>",
      "<?xml version=\"1.0\" encoding=\"UTF-16\"?>", "<?xml version=\"1.0\" encoding=\"Shift_JIS\"?>",
      "\xef\xbb\xbf<?xml version=\"1.0\"?>"};
  char *end = strncmp(text->bytes, "<?xml", 5) == 0 ? strstr(text->bytes, "?>") : NULL;
  if (end)
    replace(text, text->bytes, (size_t)(end + 2 - text->bytes), PICK(heads));
}

static void insert_markup(struct text *text)
{
  static const char *const marks[] = {
      "<include file=\"@S\"/>",
      "<!-- \x1b$B--><config><prop id=\"tracing\" value=\"yes\"/></config><!--\x1b(B -->",
      "<![CDATA[<config><prop id=\"tracing\" value=\"yes\"/></config>]]>",
      "<?x ?><config><prop id=\"tracing/filename\" value=\"@V\"/></config>",
      "<!-- > <config><prop id=\"tracing\" value=\"yes\"/></config> -->",
      "<xi:include href=\"@S\" xmlns:xi=\"http://www.w3.org/2001/XInclude\"/>",
      "<actor host=\"a\" function=\"@S\"/>",
      "<trace id=\"t\" file=\"@S\" periodicity=\"1\"/>",
      "<config><prop xml:id=\"smpi/os\" id=\"tracing\" value=\"yes\"/></config>"};
  char mark[MAX_VALUE], *platform = behind_tag(text, "<platform"), *other = behind_tag(text, "<zone");
  expand(&text->aims, PICK(marks), mark);
  char *at = draw(2) && other ? other : platform;
  if (at)
    replace(text, at, 0, mark);
}

static void declare_entity(struct text *text)
{
  char subset[2 * MAX_VALUE], path[MAX_VALUE], *doctype = strstr(text->bytes, "<!DOCTYPE"),
                                               *end = doctype ? strchr(doctype, '>') : NULL;
  expand(&text->aims, "@S", path);
  snprintf(subset, sizeof subset, " [<!ENTITY x SYSTEM \"%.400s\"><!ENTITY y \"no tracing:yes\">]", path);
  if (end)
    replace(text, end, 0, subset);
}

static void edit(struct text *text)
{
  static void (*const edits[])(struct text *) = {
      set_good_option, set_good_option, set_good_option, set_good_option, set_good_option, set_good_option,
      set_good_option, set_good_option, smuggle_value,   smuggle_value,   set_bad_option,  change_any,
      change_any,      name_file,       add_disk,        declare,         insert_markup,   declare_entity};
  PICK(edits)(text);
}

static bool read_seed(struct text *text, const char *path)
{
  FILE *stream = fopen(path, "r");
  const size_t length = stream ? fread(text->bytes, 1, MAX_FILE / 2, stream) : 0;
  text->bytes[length] = '\0';
  if (stream)
    fclose(stream);
  return length > 0;
}

static bool write_file(const struct text *text, const char *folder, size_t number)
{
  char *path = tutti_xprintf("%s/%06zu.xml", folder, number);
  FILE *stream = fopen(path, "w");
  bool written = stream && fputs(text->bytes, stream) >= 0;
  written = stream && fclose(stream) == 0 && written;
  free(path);
  return written;
}

int main(int argc, char **argv)
{
  if (argc < 7) {
    fprintf(stderr, "usage: smuggle FIRST COUNT VICTIM SECRET FOLDER SEED.xml...\n");
    return 2;
  }
  struct text *text = tutti_xcalloc(1, sizeof *text);
  text->aims = (struct aims){argv[3], argv[4]};
  const size_t first = strtoul(argv[1], NULL, 10), count = strtoul(argv[2], NULL, 10);
  bool good_files = true;
  for (size_t number = first; number < first + count && good_files; number++) {
    drawn = tutti_splitmix64(number);
    good_files = read_seed(text, argv[6 + draw((size_t)argc - 6)]);
    for (size_t edits = 1 + draw(3); edits > 0; edits--)
      edit(text);
    good_files = good_files && write_file(text, argv[5], number);
  }
  free(text);
  return good_files ? 0 : 1;
}
