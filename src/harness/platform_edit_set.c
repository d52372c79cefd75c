/* Changing attributes and properties, and noting what was changed. */
#include <stdlib.h>
#include <string.h>

#include "harness/platform_edit_private.h"
#include "harness/platform_private.h"

/* "cluster torus lat", "prop smpi/os". */
static char *describe(const xmlNode *node, const char *attribute)
{
  char *text;
  const char *id = xml_attribute(node, "id");
  int length;
  if (xml_is(node, "prop"))
    length = asprintf(&text, "prop %s", id);
  else
    length = asprintf(&text, "%s%s%s %s", (const char *)node->name, id ? " " : "", id ? id : "", attribute);
  return length < 0 ? NULL : text;
}

static tutti_status note(struct editing *editing, char *where, const char *before, const char *after,
                         tutti_error *error)
{
  tutti_edited_platform *edited = editing->edited;
  tutti_platform_change change = {
      .where = where, .before = before ? strdup(before) : NULL, .after = after ? strdup(after) : NULL};
  tutti_platform_change *more = reallocarray(edited->changes, edited->change_count + 1, sizeof *more);
  edited->changes = more ? more : edited->changes;
  if (!more || !where || (before && !change.before) || (after && !change.after)) {
    free(where);
    free(change.before);
    free(change.after);
    return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for the changes of a platform");
  }
  edited->changes[edited->change_count++] = change;
  return TUTTI_OK;
}

static bool is_same(const char *before, const char *after)
{
  return before && after ? strcmp(before, after) == 0 : before == after;
}

tutti_status edit_set(struct editing *editing, xmlNode *node, const char *name, const char *value, tutti_error *error)
{
  const char *before = xml_attribute(node, name);
  if (is_same(before, value))
    return TUTTI_OK;
  editing->touched |= edit_touches(node, name);
  tutti_status status = note(editing, describe(node, name), before, value, error);
  if (status != TUTTI_OK)
    return status;
  if (!value)
    return xmlUnsetProp(node, (const xmlChar *)name) == 0 ? TUTTI_OK : tutti_fail(error, TUTTI_ERR_FAULT, "%s", name);
  if (!xmlSetProp(node, (const xmlChar *)name, (const xmlChar *)value))
    return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for an attribute");
  return TUTTI_OK;
}

void edit_forget_changes(struct editing *editing, size_t first)
{
  tutti_edited_platform *edited = editing->edited;
  while (edited->change_count > first) {
    tutti_platform_change *change = &edited->changes[--edited->change_count];
    free(change->where);
    free(change->before);
    free(change->after);
  }
}

xmlNode *edit_find_prop(const xmlNode *parent, const char *id)
{
  xmlNode *node = xml_element_from(parent->children);
  while (node && !(xml_is(node, "prop") && strcmp(xml_attribute(node, "id"), id) == 0))
    node = xml_element_from(node->next);
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

/* <prop> stands before all other elements. */
static xmlNode *insert_prop(xmlNode *parent, const char *id)
{
  xmlNode *node = xmlNewNode(NULL, (const xmlChar *)"prop");
  xmlNode *break_before = xmlNewText((const xmlChar *)"\n    ");
  if (!node || !break_before || !xmlNewProp(node, (const xmlChar *)"id", (const xmlChar *)id)) {
    xmlFreeNode(node);
    xmlFreeNode(break_before);
    return NULL;
  }
  if (parent->children)
    xmlAddPrevSibling(parent->children, node);
  else
    xmlAddChild(parent, node);
  xmlAddPrevSibling(node, break_before);
  return node;
}

tutti_status edit_set_prop(struct editing *editing, xmlNode *parent, const char *id, const char *value,
                           tutti_error *error)
{
  xmlNode *node = edit_find_prop(parent, id);
  if (!node && !value)
    return TUTTI_OK;
  if (!node && !(node = insert_prop(parent, id)))
    return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for a property");
  tutti_status status = edit_set(editing, node, "value", value, error);
  if (status == TUTTI_OK && !value)
    remove_node(node);
  return status;
}

xmlNode *edit_outermost(const struct editing *editing)
{
  return (xmlNode *)platform_outermost(editing->file);
}

xmlNode *edit_config(const struct editing *editing)
{
  xmlNode *root = xml_root(editing->file), *first = xml_element_from(root->children);
  if (first && xml_is(first, "config"))
    return first;
  xmlNode *config = xmlNewNode(NULL, (const xmlChar *)"config");
  return config && first ? xmlAddPrevSibling(first, config) : NULL;
}

xmlNode *edit_cluster(const struct editing *editing, tutti_error *error)
{
  xmlNode *found = NULL, *root = xml_root(editing->file);
  for (xmlNode *node = root; node; node = xml_next(node, root)) {
    bool others = xml_is(node, "host") || xml_is(node, "cabinet") || xml_is(node, "peer");
    if (others || (found && xml_is(node, "cluster"))) {
      edit_fail(editing, error, "%s has a <%s> on line %ld: it is for machines of one <cluster> and nothing else",
                editing->file->path, (const char *)node->name, xmlGetLineNo(node));
      return NULL;
    }
    if (xml_is(node, "cluster"))
      found = node;
  }
  if (!found)
    edit_fail(editing, error, "%s has no <cluster>", editing->file->path);
  return found;
}
