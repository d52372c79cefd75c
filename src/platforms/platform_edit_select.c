/* Edits by XPath. */
#include <stdlib.h>
#include <string.h>

#include <libxml/xpath.h>

#include "platforms/platform_edit_private.h"

/* Where an XPath context leaves its first error. */
static void keep_error(void *text, xmlErrorPtr fault)
{
  char *kept = text;
  if (!*kept && fault->message)
    snprintf(kept, TUTTI_ERROR_LENGTH / 4, "%.*s", (int)strcspn(fault->message, "\n"), fault->message);
}

/* Whose attribute is it? A <prop> stands for its value. */
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
    return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for an XPath");
  context->error = keep_error;
  context->userData = reason;
  xmlXPathObjectPtr selected = xmlXPathEvalExpression((const xmlChar *)path, context);
  tutti_status status = selected ? change_all(editing, selected, value, count, error)
                                 : tutti_edit_fail(editing, error, "not an XPath of version 1.0: %s", reason);
  xmlXPathFreeObject(selected);
  xmlXPathFreeContext(context);
  return status;
}
