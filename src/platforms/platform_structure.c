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
  return tutti_xml_is(node, "zone") || tutti_xml_is(node, "AS") || tutti_xml_is(node, "cluster");
}

const xmlNode *tutti_platform_outermost(const xml_file *file)
{
  const xmlNode *node = tutti_xml_element_from(tutti_xml_root(file)->children);
  while (node && !is_zone(node))
    node = tutti_xml_element_from(node->next);
  return node;
}

tutti_status tutti_platform_check_structure(const xml_file *file, tutti_error *error)
{
  tutti_status status = tutti_xml_check(file, "platform", tutti_platform_elements, error);
  if (status != TUTTI_OK)
    return status;
  if (!has_doctype(file))
    return tutti_xml_fail(
        file, tutti_xml_root(file), error,
        "SimGrid needs <!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\"> before <platform>");
  const xmlNode *outermost = tutti_platform_outermost(file);
  if (!outermost)
    return tutti_xml_fail(file, tutti_xml_root(file), error, "<platform> holds no <zone> and no <cluster>");
  for (const xmlNode *node = tutti_xml_element_from(outermost->next); node; node = tutti_xml_element_from(node->next))
    if (is_zone(node))
      return tutti_xml_fail(file, node, error, "second outermost <%s>: put them into one <zone>",
                            (const char *)node->name);
  return TUTTI_OK;
}
