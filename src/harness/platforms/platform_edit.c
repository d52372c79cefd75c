/* Edits of platform files: their words, the file from reading to writing, and the name of the result. */
#include <ctype.h>
#include <nettle/base16.h>
#include <nettle/sha2.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/utf8.h"
#include "base/words.h"
#include "harness/platforms/platform_private.h"
#include "tutti/platform.h"

enum { HASH_BYTES = 4, HASH_LENGTH = 1 + 2 * HASH_BYTES };

/* Append a hash of the edits, each with its terminator. */
static void append_hash(char *name, const char *const *edits, int count)
{
  struct sha256_ctx context;
  uint8_t digest[HASH_BYTES];
  char text[2 * HASH_BYTES + 1] = "";
  sha256_init(&context);
  for (int i = 0; i < count; i++)
    sha256_update(&context, strlen(edits[i]) + 1, (const uint8_t *)edits[i]);
  sha256_digest(&context, sizeof digest, digest);
  base16_encode_update(text, sizeof digest, digest);
  snprintf(name + strlen(name), HASH_LENGTH + 1, "-%s", text);
}

/* Map a byte to one that smpirun, shells and file systems do not interpret. The operators of factors, and the sign
   before the parameters of a topology, are replaced. */
static char plain(char byte, bool *lossy)
{
  static const char replaced[] = "*x/%:-";
  if (isalnum((unsigned char)byte) || strchr("._=+,@%-", byte))
    return byte;
  const char *found = strchr(replaced, byte);
  *lossy |= !found;
  return found ? found[1] : '-';
}

/* The name of the result. */
static void name_result(const char *platform, const char *const *edits, int count,
                        char name[TUTTI_PLATFORM_NAME_LENGTH])
{
  const size_t most = TUTTI_PLATFORM_NAME_LENGTH - 1 - HASH_LENGTH;
  size_t length = strlen(platform);
  bool lossy = length > most;
  length = lossy ? most : length;
  memcpy(name, platform, length);
  for (int i = 0; i < count; i++) {
    lossy |= length == most;
    if (length < most)
      name[length++] = '+';
    for (const char *c = edits[i]; *c; c++) {
      char byte = plain(*c, &lossy);
      lossy |= length == most;
      if (length < most)
        name[length++] = byte;
    }
  }
  name[length] = '\0';
  if (lossy)
    append_hash(name, edits, count);
}

/* ---- edits of platform files: the words, and the file from reading to writing ---- */

tutti_status tutti_edit_fail(const struct editing *editing, tutti_error *error, const char *format, ...)
{
  char message[TUTTI_ERROR_LENGTH];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "edit '%.200s': %s", editing->edit, message);
}

/* ---- words ---- */

static tutti_status set_fit(struct editing *editing, const char *value, tutti_error *error)
{
  return tutti_edit_set_prop(editing, tutti_edit_outermost(editing), "tutti/fit", *value ? value : NULL, error);
}

#define OPTION(name) "/platform/config/prop[@id='" name "']"

static const struct word {
  const char *name;
  const char *path;   /* the path it changes; NULL: a function does it */
  const char *absent; /* an attribute of a <cluster> that it may give for the first time */
  tutti_status (*edit)(struct editing *editing, const char *value, tutti_error *error);
} words[] = {
    {"latency", "//cluster/@lat|//cluster/@bb_lat|//cabinet/@lat|//link/@latency|//backbone/@latency|//peer/@lat", NULL,
     NULL},
    {"bandwidth",
     "//cluster/@bw|//cluster/@bb_bw|//cabinet/@bw|//link/@bandwidth|//backbone/@bandwidth|//peer/@bw_in|//peer/"
     "@bw_out",
     NULL, NULL},
    {"speed", "//cluster/@speed|//cabinet/@speed|//host/@speed|//peer/@speed|" OPTION("smpi/host-speed"), NULL, NULL},
    {"overhead", OPTION("smpi/os") "|" OPTION("smpi/ois") "|" OPTION("smpi/or"), NULL, NULL},
    {"actor", "/platform/*/prop[starts-with(@id,'tutti/actor-')]", NULL, NULL},
    {"loopback-latency", "//cluster/@loopback_lat", "loopback_lat", NULL},
    {"loopback-bandwidth", "//cluster/@loopback_bw", "loopback_bw", NULL},
    {"limiter", "//cluster/@limiter_link", "limiter_link", NULL},
    {"backbone-latency", "//cluster/@bb_lat|//backbone/@latency", "bb_lat", NULL},
    {"backbone-bandwidth", "//cluster/@bb_bw|//backbone/@bandwidth", "bb_bw", NULL},
    {"backbone-contention", NULL, NULL, tutti_edit_backbone_contention},
    {"port-contention", NULL, NULL, tutti_edit_port_contention},
    {"hosts", NULL, NULL, tutti_edit_hosts},
    {"ranks_per_node", NULL, NULL, tutti_edit_ranks_per_node},
    {"topology", NULL, NULL, tutti_edit_topology},
    {"network", NULL, NULL, tutti_edit_network},
    {"fit", NULL, NULL, set_fit},
};

static const struct word *find_word(const char *text, size_t length)
{
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strlen(words[i].name) == length && strncmp(words[i].name, text, length) == 0)
      return &words[i];
  return NULL;
}

static tutti_status add_attribute(struct editing *editing, const struct word *word, const char *value,
                                  tutti_error *error)
{
  tutti_error reason;
  char *checked;
  xmlNode *cluster = tutti_edit_cluster(editing, error);
  if (!cluster)
    return error->status;
  if (tutti_edit_is_relative(value))
    return tutti_edit_fail(editing, error, "the <cluster> has no %s that could be changed: set it", word->absent);
  if (tutti_edit_value(tutti_edit_kind_of(cluster, word->absent), "", value, &checked, &reason) != TUTTI_OK)
    return tutti_edit_fail(editing, error, "%s", reason.message);
  tutti_status status = tutti_edit_set(editing, cluster, word->absent, checked, error);
  free(checked);
  return status;
}

static tutti_status apply_word(struct editing *editing, const struct word *word, const char *value, tutti_error *error)
{
  int count;
  if (word->edit)
    return word->edit(editing, value, error);
  tutti_status status = tutti_edit_select(editing, word->path, value, &count, error);
  if (status != TUTTI_OK || count > 0)
    return status;
  if (word->absent)
    return add_attribute(editing, word, value, error);
  return tutti_edit_fail(editing, error, "%s has nothing of that kind (%s)", editing->file->path, word->path);
}

/* ---- one edit ---- */

/* The '=' between the two sides: the last one outside of brackets and quotes. */
static const char *find_equals(const char *edit)
{
  const char *found = NULL;
  int depth = 0;
  char quote = '\0';
  for (const char *c = edit; *c; c++) {
    if (quote)
      quote = *c == quote ? '\0' : quote;
    else if (*c == '"' || *c == '\'')
      quote = *c;
    else if (*c == '[' || *c == '(')
      depth++;
    else if (*c == ']' || *c == ')')
      depth--;
    else if (*c == '=' && depth == 0)
      found = c;
  }
  return found;
}

static tutti_status apply_path(struct editing *editing, const char *edit, size_t length, tutti_error *error)
{
  int count;
  char *path = tutti_xstrndup(edit, length);
  tutti_status status = tutti_edit_select(editing, path, edit + length + 1, &count, error);
  if (status == TUTTI_OK && count == 0)
    status = tutti_edit_fail(editing, error, "the XPath %.200s matches nothing in %s", path, editing->file->path);
  free(path);
  return status;
}

static tutti_status apply_side(struct editing *editing, const char *edit, tutti_error *error)
{
  const char *equals = find_equals(edit);
  if (!tutti_utf8_is_xml(edit))
    return tutti_edit_fail(editing, error, "it is not text that XML can hold: UTF-8 without control characters");
  if (!equals)
    return tutti_edit_fail(editing, error, "expected WORD=VALUE or XPATH=VALUE, with the brackets of an XPath closed");
  size_t length = (size_t)(equals - edit);
  const struct word *word = find_word(edit, length);
  if (word)
    return apply_word(editing, word, equals + 1, error);
  if (*edit == '/' || *edit == '(')
    return apply_path(editing, edit, length, error);
  char wrong[TUTTI_GUESS_LENGTH], meant[2 * TUTTI_GUESS_LENGTH];
  snprintf(wrong, sizeof wrong, "%.*s", (int)length, edit);
  tutti_guess guess = {.word = wrong};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    tutti_guess_try(&guess, words[i].name);
  return tutti_edit_fail(editing, error,
                         "unknown word '%.*s'%s: known are latency bandwidth speed overhead actor loopback-latency "
                         "loopback-bandwidth limiter backbone-latency backbone-bandwidth backbone-contention "
                         "port-contention hosts ranks_per_node topology network fit; an XPath begins with '/'",
                         (int)length, edit, tutti_guess_text(&guess, meant));
}

static tutti_status apply(struct editing *editing, const char *edit, tutti_error *error)
{
  editing->edit = edit;
  editing->touched = editing->done = 0;
  tutti_status status = apply_side(editing, edit, error);
  if (status == TUTTI_OK && editing->done == 0)
    status = tutti_edit_fail(editing, error, "changes nothing in %s: all that it selects is so already",
                             editing->file->path);
  return status == TUTTI_OK ? tutti_edit_drop_published(editing, error) : status;
}

/* ---- the file ---- */

/* A description from an edit stays; the previous one would not fit the edited machine. */
static bool has_own_description(const struct editing *editing, const xmlNode *description)
{
  const char *value = description ? tutti_xml_attribute(description, "value") : NULL;
  return value && (!editing->described || strcmp(value, editing->described) != 0);
}

/* "NAME; edited: latency=*0.5, hosts=64" for people; not one of the changes. */
static tutti_status describe(struct editing *editing, const char *name, const char *const *edits, int count,
                             tutti_error *error)
{
  static const char id[] = "tutti/description";
  xmlNode *outermost = tutti_edit_outermost(editing);
  if (has_own_description(editing, tutti_edit_find_prop(outermost, id)))
    return TUTTI_OK;
  char *text = tutti_xprintf("%s; edited:", name);
  for (int i = 0; i < count; i++) {
    char *longer = tutti_xprintf("%s%s %s", text, i ? "," : "", edits[i]);
    free(text);
    text = longer;
  }
  tutti_edited_platform unseen = {.change_count = 0}, *edited = editing->edited;
  editing->edited = &unseen;
  tutti_status status = tutti_edit_set_prop(editing, outermost, id, text, error);
  editing->edited = edited;
  tutti_edited_platform_free(&unseen);
  free(text);
  return status;
}

/* Comments before the root describe the machine as it was; those within explain options. */
static void drop_comments(const struct editing *editing)
{
  for (xmlNode *node = editing->file->document->children, *next; node; node = next) {
    next = node->next;
    if (node->type == XML_COMMENT_NODE) {
      xmlUnlinkNode(node);
      xmlFreeNode(node);
    }
  }
}

/* The checks of any platform; the file was valid before, so some edit made the fault. */
static tutti_status check(struct editing *editing, tutti_platform *platform, tutti_error *error)
{
  tutti_error reason;
  tutti_status status = tutti_platform_check_structure(editing->file, &reason);
  if (status == TUTTI_OK)
    status = tutti_platform_read_properties(editing->file, platform, &reason);
  if (status == TUTTI_OK)
    status = tutti_platform_read_hosts(editing->file, platform, &reason);
  if (status != TUTTI_OK)
    return tutti_fail(error, status, "after the edits, the last of which is '%.200s': %s", editing->edit,
                      reason.message);
  editing->edited->host_count = platform->host_count;
  editing->edited->ranks_per_node = platform->ranks_per_node;
  return TUTTI_OK;
}

static void write_bytes(const struct editing *editing)
{
  xmlChar *bytes = NULL;
  int length = 0;
  xmlDocDumpMemoryEnc(editing->file->document, &bytes, &length, "UTF-8");
  if (!bytes)
    tutti_out_of_memory();
  editing->edited->bytes = tutti_xmemdup(bytes, (size_t)length + 1);
  editing->edited->length = (size_t)length;
  xmlFree(bytes);
}

static tutti_status edit_file(struct editing *editing, const tutti_platform *before, const char *const *edits,
                              int count, tutti_error *error)
{
  tutti_platform platform = {.ranks_per_node = 1, .copy_cost = 1};
  editing->described = before->description;
  tutti_status status = TUTTI_OK;
  for (int i = 0; i < count && status == TUTTI_OK; i++)
    status = apply(editing, edits[i], error);
  if (status == TUTTI_OK)
    status = check(editing, &platform, error);
  if (status == TUTTI_OK)
    status = describe(editing, before->name, edits, count, error);
  drop_comments(editing);
  if (status == TUTTI_OK)
    write_bytes(editing);
  tutti_platform_free(&platform);
  return status;
}

tutti_status tutti_platform_edit(const char *path, const char *const *edits, int edit_count,
                                 tutti_edited_platform *edited, tutti_error *error)
{
  tutti_platform before;
  xml_file file;
  *edited = (tutti_edited_platform){.change_count = 0};
  tutti_status status = tutti_platform_read(path, &before, error);
  if (status != TUTTI_OK)
    return status;
  name_result(before.name, edits, edit_count, edited->name);
  status = tutti_xml_file_read(path, &file, error);
  if (status == TUTTI_OK) {
    struct editing editing = {.file = &file, .edited = edited, .edit = ""};
    status = edit_file(&editing, &before, edits, edit_count, error);
    tutti_xml_file_free(&file);
  }
  tutti_platform_free(&before);
  if (status != TUTTI_OK)
    tutti_edited_platform_free(edited);
  return status;
}

void tutti_edited_platform_free(tutti_edited_platform *edited)
{
  for (size_t i = 0; i < edited->change_count; i++) {
    free(edited->changes[i].where);
    free(edited->changes[i].before);
    free(edited->changes[i].after);
  }
  free(edited->changes);
  free(edited->bytes);
  *edited = (tutti_edited_platform){.change_count = 0};
}
