/* Has a platform file the structure that SimGrid reads? */
#include <string.h>

#include "platforms/platform_private.h"

/* SimGrid knows its files by the exact identifier; the second is that of its former home. */
static bool has_doctype(const xml_file *file)
{
  const xmlDtd *doctype = file->document->intSubset;
  const char *identifier = doctype ? (const char *)doctype->SystemID : NULL;
  return identifier && !doctype->children && strcmp((const char *)doctype->name, "platform") == 0 &&
         (strcmp(identifier, "https://simgrid.org/simgrid.dtd") == 0 ||
          strcmp(identifier, "http://simgrid.gforge.inria.fr/simgrid/simgrid.dtd") == 0);
}

static bool is_zone(const xmlNode *node)
{
  return xml_is(node, "zone") || xml_is(node, "AS") || xml_is(node, "cluster");
}

const xmlNode *platform_outermost(const xml_file *file)
{
  const xmlNode *node = xml_element_from(xml_root(file)->children);
  while (node && !is_zone(node))
    node = xml_element_from(node->next);
  return node;
}

tutti_status platform_check_structure(const xml_file *file, tutti_error *error)
{
  tutti_status status = xml_check(file, "platform", platform_elements, error);
  if (status != TUTTI_OK)
    return status;
  if (!has_doctype(file))
    return xml_fail(file, xml_root(file), error,
                    "SimGrid needs <!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\"> before <platform>");
  const xmlNode *outermost = platform_outermost(file);
  if (!outermost)
    return xml_fail(file, xml_root(file), error, "<platform> holds no <zone> and no <cluster>");
  for (const xmlNode *node = xml_element_from(outermost->next); node; node = xml_element_from(node->next))
    if (is_zone(node))
      return xml_fail(file, node, error, "second outermost <%s>: put them into one <zone>", (const char *)node->name);
  return TUTTI_OK;
}
