#include "platforms/xml.h"

#include <string.h>

/* Is @p word one of the words of @p list up to its end or the next ';'? */
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
    if (!find_attribute(rule, attribute))
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
  if (node->nsDef)
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
