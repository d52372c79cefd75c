/* XML files through libxml2: read, and walked through. */
#include "harness/platforms/xml.h"

#include <libxml/SAX2.h>
#include <libxml/parser.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/input.h"
#include "base/memory.h"

/* A parser context keeps its first error here (its _private member). */
struct parse_state {
  const char *path;
  tutti_error *error;
  tutti_status status;
  bool misencoded;
};

static void keep_first_error(void *context, xml_fault *fault)
{
  struct parse_state *state = ((xmlParserCtxtPtr)context)->_private;
  if (fault->level < XML_ERR_ERROR || state->status != TUTTI_OK)
    return;
  const char *text = fault->message ? fault->message : "not well-formed";
  state->status = tutti_fail(state->error, TUTTI_ERR_ARGUMENT, "%s:%d: malformed XML: %.*s", state->path, fault->line,
                             (int)strcspn(text, "\n"), text);
}

/* What libxml2 says without a context, of bytes that the encoding of a file does not have, it would print. */
static void keep_encoding_error(void *context, xml_fault *fault)
{
  struct parse_state *state = context;
  (void)fault;
  state->misencoded = true;
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
  int crowded = file->length > 0 ? tutti_xml_crowded_line(file->bytes, file->length) : 0;
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
  xmlSetStructuredErrorFunc(&state, keep_encoding_error);
  char *bytes = tutti_xml_tolerate(file->bytes, file->length);
  file->document = xmlCtxtReadMemory(context, bytes, (int)file->length, file->path, NULL, options);
  const int line = context->input ? context->input->line : 1;
  xmlSetStructuredErrorFunc(NULL, NULL);
  xmlFreeParserCtxt(context);
  free(bytes);
  if (state.misencoded)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s:%d: malformed XML: bytes that its encoding does not have",
                      file->path, line);
  if (state.status == TUTTI_OK && !file->document)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: not an XML document", file->path);
  return state.status;
}

tutti_status tutti_xml_file_read(const char *path, xml_file *file, tutti_error *error)
{
  *file = (xml_file){.path = path};
  tutti_status status = tutti_input_read_bytes(path, TUTTI_INPUT_TEXT, &file->bytes, &file->length, error);
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
  if (!file->bytes)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s%s%s", file->path, *file->path ? ": " : "", message);
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

/* ---- schema ---- */

/* Whether @p word is one of the words of @p list up to its end or the next ';'. */
static bool in_group(const char *list, const char *word)
{
  size_t length = strlen(word);
  for (;;) {
    list += strspn(list, " ");
    size_t span = strcspn(list, " ;");
    if (span == 0)
      return false;
    if (span == length && memcmp(list, word, length) == 0)
      return true;
    list += span;
  }
}

/* The first child of @p node that breaks the order of @p groups; NULL if all keep it. */
static const xmlNode *first_misplaced(const xmlNode *node, const char *groups)
{
  for (const xmlNode *child = tutti_xml_element_from(node->children); child;
       child = tutti_xml_element_from(child->next)) {
    while (groups && !in_group(groups, (const char *)child->name)) {
      groups = strchr(groups, ';');
      groups = groups ? groups + 1 : NULL;
    }
    if (!groups)
      return child;
  }
  return NULL;
}

static const xml_element_rule *find_rule(const xml_element_rule *rules, const xmlNode *node)
{
  for (; rules->name; rules++)
    if (tutti_xml_is(node, rules->name))
      return rules;
  return NULL;
}

static tutti_status check_children(const xml_file *file, const xmlNode *node, const xml_element_rule *rule,
                                   tutti_error *error)
{
  const xmlNode *first = first_misplaced(node, rule->children[0]);
  if (!first)
    return TUTTI_OK;
  const xmlNode *second = rule->children[1] ? first_misplaced(node, rule->children[1]) : first;
  if (!second)
    return TUTTI_OK;
  /* The alternative that gets further is the one that was meant. */
  const xmlNode *worst = xmlGetLineNo(second) > xmlGetLineNo(first) ? second : first;
  return tutti_xml_fail(file, worst, error, "<%s> cannot stand here in <%s>", (const char *)worst->name, rule->name);
}

static const xml_attribute_rule *find_attribute(const xml_element_rule *rule, const xmlAttr *attribute)
{
  for (const xml_attribute_rule *at = rule->attributes; at && at->name; at++)
    if (strcmp(at->name, (const char *)attribute->name) == 0)
      return at;
  return NULL;
}

static tutti_status check_value(const xml_file *file, const xmlNode *node, const xml_attribute_rule *rule,
                                tutti_error *error)
{
  tutti_error reason;
  const char *value = tutti_xml_attribute(node, rule->name);
  if (*value == '\0' && rule->check && !rule->required)
    return TUTTI_OK;
  if (rule->one_of && (*value == '\0' || strpbrk(value, " ;") || !in_group(rule->one_of, value)))
    return tutti_xml_fail(file, node, error, "<%s> %s=\"%s\": expected one of %s", (const char *)node->name, rule->name,
                          value, rule->one_of);
  if (rule->check && rule->check(value, &reason) != TUTTI_OK)
    return tutti_xml_fail(file, node, error, "<%s> %s=\"%s\": %s", (const char *)node->name, rule->name, value,
                          reason.message);
  return TUTTI_OK;
}

static tutti_status check_attributes(const xml_file *file, const xmlNode *node, const xml_element_rule *rule,
                                     tutti_error *error)
{
  for (const xmlAttr *attribute = node->properties; attribute; attribute = attribute->next)
    if (attribute->ns || !find_attribute(rule, attribute)) /* xml:id is another one than id */
      return tutti_xml_fail(file, node, error, "<%s> has no attribute '%s'", rule->name, (const char *)attribute->name);
  for (const xml_attribute_rule *at = rule->attributes; at && at->name; at++) {
    if (!tutti_xml_attribute(node, at->name)) {
      if (at->required)
        return tutti_xml_fail(file, node, error, "<%s> lacks its attribute '%s'", rule->name, at->name);
      continue;
    }
    tutti_status status = check_value(file, node, at, error);
    if (status != TUTTI_OK)
      return status;
  }
  return TUTTI_OK;
}

static tutti_status check_text(const xml_file *file, const xmlNode *node, const xml_element_rule *rule,
                               tutti_error *error)
{
  for (const xmlNode *child = node->children; child && !rule->text; child = child->next)
    if (child->type == XML_CDATA_SECTION_NODE || (child->type == XML_TEXT_NODE && !xmlIsBlankNode(child)))
      return tutti_xml_fail(file, node, error, "<%s> holds text: '%.20s'", rule->name,
                            (const char *)child->content + strspn((const char *)child->content, " \t\r\n"));
  return TUTTI_OK;
}

static tutti_status check_element(const xml_file *file, const xmlNode *node, const xml_element_rule *rules,
                                  tutti_error *error)
{
  const xml_element_rule *rule = find_rule(rules, node);
  if (!rule)
    return tutti_xml_fail(file, node, error, "unknown element <%s>", (const char *)node->name);
  if (node->nsDef || node->ns)
    return tutti_xml_fail(file, node, error, "<%s> declares a namespace: none is used here", rule->name);
  tutti_status status = check_attributes(file, node, rule, error);
  if (status == TUTTI_OK)
    status = check_text(file, node, rule, error);
  return status;
}

tutti_status tutti_xml_check(const xml_file *file, const char *root_name, const xml_element_rule *rules,
                             tutti_error *error)
{
  const xmlNode *root = tutti_xml_root(file);
  if (!tutti_xml_is(root, root_name))
    return tutti_xml_fail(file, root, error, "root element is <%s>, not <%s>", (const char *)root->name, root_name);
  for (const xmlNode *node = root; node; node = tutti_xml_next(node, root)) {
    tutti_status status = TUTTI_OK;
    if (node->type == XML_ELEMENT_NODE)
      status = check_element(file, node, rules, error);
    if (status != TUTTI_OK)
      return status;
  }
  /* After all names: an unknown element is reported as unknown rather than as out of place. */
  for (const xmlNode *node = root; node; node = tutti_xml_next(node, root)) {
    const xml_element_rule *rule = node->type == XML_ELEMENT_NODE ? find_rule(rules, node) : NULL;
    tutti_status status = rule ? check_children(file, node, rule, error) : TUTTI_OK;
    if (status != TUTTI_OK)
      return status;
  }
  return TUTTI_OK;
}
