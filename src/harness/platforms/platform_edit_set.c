/* Changing attributes and properties, one by one or by XPath, and noting what was changed. */
#include <libxml/xpath.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "harness/platforms/platform_private.h"

/* "cluster torus lat", "prop smpi/os". */
static char *describe_place(const xmlNode *node, const char *attribute)
{
  const char *id = tutti_xml_attribute(node, "id");
  return tutti_xml_is(node, "prop")
             ? tutti_xprintf("prop %s", id)
             : tutti_xprintf("%s%s%s %s", (const char *)node->name, id ? " " : "", id ? id : "", attribute);
}

static bool is_same(const char *before, const char *after)
{
  return before && after ? strcmp(before, after) == 0 : before == after;
}

static void free_change(tutti_platform_change *change)
{
  free(change->where);
  free(change->before);
  free(change->after);
}

/* A value that is changed repeatedly has one note, from its first to its last value; none if these are equal. */
static void note(struct editing *editing, tutti_platform_change change)
{
  tutti_edited_platform *edited = editing->edited;
  size_t c = 0;
  while (c < edited->change_count && strcmp(edited->changes[c].where, change.where) != 0)
    c++;
  if (c == edited->change_count) {
    edited->changes = tutti_xroom(edited->changes, c, sizeof *edited->changes);
    edited->changes[edited->change_count++] = change;
    return;
  }
  tutti_platform_change *old = &edited->changes[c];
  free(change.where);
  free(change.before);
  free(old->after);
  old->after = change.after;
  if (is_same(old->before, old->after)) {
    free_change(old);
    memmove(old, old + 1, (--edited->change_count - c) * sizeof *old);
  }
}

static void note_value(struct editing *editing, const xmlNode *node, const char *name, const char *before,
                       const char *after)
{
  tutti_platform_change change = {.where = describe_place(node, name),
                                  .before = before ? tutti_xstrdup(before) : NULL,
                                  .after = after ? tutti_xstrdup(after) : NULL};
  editing->done++;
  note(editing, change);
}

tutti_status tutti_edit_set(struct editing *editing, xmlNode *node, const char *name, const char *value,
                            tutti_error *error)
{
  const char *before = tutti_xml_attribute(node, name);
  if (is_same(before, value))
    return TUTTI_OK;
  editing->touched |= tutti_edit_touches(node, name);
  note_value(editing, node, name, before, value);
  if (!value)
    return xmlUnsetProp(node, (const xmlChar *)name) == 0 ? TUTTI_OK : tutti_fail(error, TUTTI_ERR_FAULT, "%s", name);
  if (!xmlSetProp(node, (const xmlChar *)name, (const xmlChar *)value))
    tutti_out_of_memory();
  return TUTTI_OK;
}

xmlNode *tutti_edit_find_prop(const xmlNode *parent, const char *id)
{
  xmlNode *node = tutti_xml_element_from(parent->children);
  while (node && !(tutti_xml_is(node, "prop") && strcmp(tutti_xml_attribute(node, "id"), id) == 0))
    node = tutti_xml_element_from(node->next);
  return node;
}

/* An element and the blanks before it, so that no empty line stays. */
static void remove_node(xmlNode *node)
{
  xmlNode *blanks = node->prev;
  if (blanks && xmlIsBlankNode(blanks)) {
    xmlUnlinkNode(blanks);
    xmlFreeNode(blanks);
  }
  xmlUnlinkNode(node);
  xmlFreeNode(node);
}

/* <prop> precedes all other elements. */
static xmlNode *insert_prop(xmlNode *parent, const char *id)
{
  xmlNode *node = xmlNewNode(NULL, (const xmlChar *)"prop");
  xmlNode *break_before = xmlNewText((const xmlChar *)"\n    ");
  if (!node || !break_before || !xmlNewProp(node, (const xmlChar *)"id", (const xmlChar *)id))
    tutti_out_of_memory();
  if (parent->children)
    xmlAddPrevSibling(parent->children, node);
  else
    xmlAddChild(parent, node);
  xmlAddPrevSibling(node, break_before);
  return node;
}

tutti_status tutti_edit_set_prop(struct editing *editing, xmlNode *parent, const char *id, const char *value,
                                 tutti_error *error)
{
  xmlNode *node = tutti_edit_find_prop(parent, id);
  if (!node && !value)
    return TUTTI_OK;
  if (!node)
    node = insert_prop(parent, id);
  tutti_status status = tutti_edit_set(editing, node, "value", value, error);
  if (status == TUTTI_OK && !value)
    remove_node(node);
  return status;
}

xmlNode *tutti_edit_outermost(const struct editing *editing)
{
  return (xmlNode *)tutti_platform_outermost(editing->file);
}

xmlNode *tutti_edit_config(const struct editing *editing)
{
  xmlNode *root = tutti_xml_root(editing->file), *first = tutti_xml_element_from(root->children);
  if (first && tutti_xml_is(first, "config"))
    return first;
  xmlNode *config = xmlNewNode(NULL, (const xmlChar *)"config");
  if (!config)
    tutti_out_of_memory();
  return xmlAddPrevSibling(first, config); /* a checked platform has a first element */
}

xmlNode *tutti_edit_cluster(const struct editing *editing, tutti_error *error)
{
  xmlNode *found = NULL, *root = tutti_xml_root(editing->file);
  for (xmlNode *node = root; node; node = tutti_xml_next(node, root)) {
    bool others = tutti_xml_is(node, "host") || tutti_xml_is(node, "cabinet") || tutti_xml_is(node, "peer");
    if (others || (found && tutti_xml_is(node, "cluster"))) {
      tutti_edit_fail(editing, error, "%s has a <%s> on line %ld: it is for machines of one <cluster> and nothing else",
                      editing->file->path, (const char *)node->name, xmlGetLineNo(node));
      return NULL;
    }
    if (tutti_xml_is(node, "cluster"))
      found = node;
  }
  if (!found)
    tutti_edit_fail(editing, error, "%s has no <cluster>", editing->file->path);
  return found;
}

/* ---- edits by XPath ---- */

/* Stores the first error of an XPath context. */
static void keep_error(void *text, xml_fault *fault)
{
  char *kept = text;
  if (!*kept && fault->message)
    snprintf(kept, TUTTI_ERROR_LENGTH / 4, "%.*s", (int)strcspn(fault->message, "\n"), fault->message);
}

/* The node of an attribute; for a <prop> that of its value. */
static tutti_status resolve(const struct editing *editing, xmlNode *selected, xmlNode **node, const char **attribute,
                            tutti_error *error)
{
  if (selected->type == XML_ATTRIBUTE_NODE) {
    *node = selected->parent;
    *attribute = (const char *)selected->name;
    return TUTTI_OK;
  }
  *node = selected;
  *attribute = "value";
  if (tutti_xml_is(selected, "prop"))
    return TUTTI_OK;
  if (selected->type == XML_ELEMENT_NODE)
    return tutti_edit_fail(editing, error, "selects the element <%s>, which has no value: add /@ATTRIBUTE",
                           (const char *)selected->name);
  return tutti_edit_fail(editing, error, "selects what is no attribute and no <prop>");
}

static tutti_status change_node(struct editing *editing, xmlNode *selected, const char *value, tutti_error *error)
{
  xmlNode *node;
  const char *attribute;
  char *after;
  tutti_error reason;
  tutti_status status = resolve(editing, selected, &node, &attribute, error);
  if (status != TUTTI_OK)
    return status;
  if (tutti_edit_value(tutti_edit_kind_of(node, attribute), tutti_xml_attribute(node, attribute), value, &after,
                       &reason) != TUTTI_OK)
    return tutti_edit_fail(editing, error, "<%s> %s: %s", (const char *)node->name,
                           tutti_xml_is(node, "prop") ? tutti_xml_attribute(node, "id") : attribute, reason.message);
  tutti_edit_keep_own(editing, node);
  status = tutti_edit_set(editing, node, attribute, after, error);
  free(after);
  return status;
}

static tutti_status change_all(struct editing *editing, const xmlXPathObject *selected, const char *value, int *count,
                               tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  if (selected->type != XPATH_NODESET)
    return tutti_edit_fail(editing, error, "the XPath selects no attributes: it computes a value");
  *count = selected->nodesetval ? selected->nodesetval->nodeNr : 0;
  for (int i = 0; i < *count && status == TUTTI_OK; i++)
    status = change_node(editing, selected->nodesetval->nodeTab[i], value, error);
  return status;
}

tutti_status tutti_edit_select(struct editing *editing, const char *path, const char *value, int *count,
                               tutti_error *error)
{
  char reason[TUTTI_ERROR_LENGTH / 4] = "";
  *count = 0;
  xmlXPathContextPtr context = xmlXPathNewContext(editing->file->document);
  if (!context)
    tutti_out_of_memory();
  context->error = keep_error;
  context->userData = reason;
  xmlXPathObjectPtr selected = xmlXPathEvalExpression((const xmlChar *)path, context);
  tutti_status status = selected ? change_all(editing, selected, value, count, error)
                                 : tutti_edit_fail(editing, error, "not an XPath of version 1.0: %s", reason);
  xmlXPathFreeObject(selected);
  xmlXPathFreeContext(context);
  return status;
}
