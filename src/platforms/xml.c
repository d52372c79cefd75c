/* XML files through libxml2: read, and walked through. */
#include "platforms/xml.h"
#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <libxml/SAX2.h>
#include <libxml/parser.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Most attributes of an element; no element of ours has as many. */
#define XML_MAX_ATTRIBUTES 256

/* What stands from @p at on, if it is no tag: behind its end; else NULL. */
static const char *skip_section(const char *at, const char *end)
{
  static const struct {
    const char *begin, *end;
  } sections[] = {{"<!--", "-->"}, {"<![CDATA[", "]]>"}, {"<?", "?>"}};
  for (int i = 0; i < 3; i++) {
    size_t begin = strlen(sections[i].begin), last = strlen(sections[i].end);
    if ((size_t)(end - at) < begin || memcmp(at, sections[i].begin, begin) != 0)
      continue;
    const char *found = memmem(at + begin, (size_t)(end - at) - begin, sections[i].end, last);
    return found ? found + last : end;
  }
  return NULL;
}

/* Behind a tag; *attributes counts the '=' outside its quotes. */
static const char *skip_tag(const char *at, const char *end, int *attributes)
{
  char quote = '\0';
  *attributes = 0;
  for (; at < end && (quote || *at != '>') && *attributes <= XML_MAX_ATTRIBUTES; at++)
    if (quote)
      quote = *at == quote ? '\0' : quote;
    else if (*at == '"' || *at == '\'')
      quote = *at;
    else
      *attributes += *at == '=';
  return at;
}

static int line_of(const char *bytes, const char *at)
{
  int line = 1;
  for (; bytes < at; bytes++)
    line += *bytes == '\n';
  return line;
}

/*
 * Line of the first tag with more attributes than that, 0 if there is none. libxml2 compares each attribute of an
 * element with all before it: 100,000 of them, a megabyte, take minutes.
 */
static int xml_crowded_line(const char *bytes, size_t length)
{
  const char *at = bytes, *end = bytes + length;
  while (at < end && (at = memchr(at, '<', (size_t)(end - at)))) {
    int attributes = 0;
    const char *behind = skip_section(at, end);
    if (!behind)
      behind = skip_tag(at, end, &attributes);
    if (attributes > XML_MAX_ATTRIBUTES)
      return line_of(bytes, at);
    at = behind;
  }
  return 0;
}

/* Far above any platform written by hand or by a generator; a guard against device files. */
enum { LARGEST_FILE = 64 << 20, READ_STEP = 64 << 10 };

/* Where a parser context (its _private member) leaves its first error. */
struct parse_state {
  const char *path;
  tutti_error *error;
  tutti_status status;
};

static tutti_status read_descriptor(int descriptor, xml_file *file, tutti_error *error)
{
  for (;;) {
    file->bytes = tutti_xrealloc(file->bytes, file->length + READ_STEP);
    ssize_t got = read(descriptor, file->bytes + file->length, READ_STEP);
    if (got < 0)
      return tutti_fail(error, TUTTI_ERR_IO, "%s: %s", file->path, strerror(errno));
    if (got == 0)
      return TUTTI_OK;
    file->length += (size_t)got;
    if (file->length > LARGEST_FILE)
      return tutti_fail(error, TUTTI_ERR_IO, "%s: larger than %d MB", file->path, LARGEST_FILE >> 20);
  }
}

static tutti_status read_bytes(xml_file *file, tutti_error *error)
{
  int descriptor = open(file->path, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0)
    return tutti_fail(error, TUTTI_ERR_IO, "%s: %s", file->path, strerror(errno));
  tutti_status status = read_descriptor(descriptor, file, error);
  close(descriptor);
  return status;
}

static void keep_first_error(void *context, xmlErrorPtr fault)
{
  struct parse_state *state = ((xmlParserCtxtPtr)context)->_private;
  if (fault->level < XML_ERR_ERROR || state->status != TUTTI_OK)
    return;
  const char *text = fault->message ? fault->message : "not well-formed";
  state->status = tutti_fail(state->error, TUTTI_ERR_ARGUMENT, "%s:%d: malformed XML: %.*s", state->path, fault->line,
                             (int)strcspn(text, "\n"), text);
}

/* SimGrid reads no declarations of entities; refusing them also keeps other files from being pulled in. */
static void refuse_entity(void *context, const xmlChar *name, int type, const xmlChar *public_id,
                          const xmlChar *system_id, xmlChar *content)
{
  struct parse_state *state = ((xmlParserCtxtPtr)context)->_private;
  (void)type, (void)public_id, (void)system_id, (void)content;
  if (state->status == TUTTI_OK)
    state->status =
        tutti_fail(state->error, TUTTI_ERR_ARGUMENT, "%s:%d: entity '%s' declared: entities are not accepted",
                   state->path, xmlSAX2GetLineNumber(context), (const char *)name);
  xmlStopParser(context);
}

static tutti_status parse(xml_file *file, tutti_error *error)
{
  int crowded = file->length > 0 ? xml_crowded_line(file->bytes, file->length) : 0;
  if (crowded)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s:%d: an element with more than %d attributes", file->path, crowded,
                      XML_MAX_ATTRIBUTES);
  xmlParserCtxtPtr context = xmlNewParserCtxt();
  if (!context)
    tutti_out_of_memory();
  struct parse_state state = {.path = file->path, .error = error, .status = TUTTI_OK};
  context->_private = &state;
  context->sax->serror = keep_first_error;
  context->sax->entityDecl = refuse_entity;
  /* NOENT: without it the predefined entities would split the value of an attribute over several nodes. */
  int options = XML_PARSE_NONET | XML_PARSE_NOENT | XML_PARSE_BIG_LINES;
  file->document = xmlCtxtReadMemory(context, file->bytes, (int)file->length, file->path, NULL, options);
  xmlFreeParserCtxt(context);
  if (state.status == TUTTI_OK && !file->document)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: not an XML document", file->path);
  return state.status;
}

tutti_status tutti_xml_file_read(const char *path, xml_file *file, tutti_error *error)
{
  *file = (xml_file){.path = path};
  tutti_status status = read_bytes(file, error);
  if (status == TUTTI_OK)
    status = parse(file, error);
  if (status != TUTTI_OK)
    tutti_xml_file_free(file);
  return status;
}

void tutti_xml_file_free(xml_file *file)
{
  if (file->document)
    xmlFreeDoc(file->document);
  free(file->bytes);
  *file = (xml_file){0};
}

tutti_status tutti_xml_fail(const xml_file *file, const xmlNode *node, tutti_error *error, const char *format, ...)
{
  char message[TUTTI_ERROR_LENGTH];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s:%ld: %s", file->path, xmlGetLineNo(node), message);
}

xmlNode *tutti_xml_root(const xml_file *file)
{
  return xmlDocGetRootElement(file->document);
}

xmlNode *tutti_xml_next(const xmlNode *node, const xmlNode *root)
{
  if (node->children)
    return node->children;
  while (node != root && !node->next)
    node = node->parent;
  return node == root ? NULL : node->next;
}

xmlNode *tutti_xml_element_from(xmlNode *node)
{
  while (node && node->type != XML_ELEMENT_NODE)
    node = node->next;
  return node;
}

bool tutti_xml_is(const xmlNode *node, const char *name)
{
  return node->type == XML_ELEMENT_NODE && strcmp((const char *)node->name, name) == 0;
}

const char *tutti_xml_attribute(const xmlNode *node, const char *name)
{
  const xmlAttr *attribute = xmlHasProp(node, (const xmlChar *)name);
  if (!attribute)
    return NULL;
  return attribute->children ? (const char *)attribute->children->content : "";
}
