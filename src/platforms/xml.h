/* XML files through libxml2: read, checked against a table of elements, faults reported as FILE:LINE. */
#ifndef TUTTI_HARNESS_XML_H
#define TUTTI_HARNESS_XML_H

#include <stdbool.h>
#include <stddef.h>

#include <libxml/tree.h>

#include "tutti/error.h"

/* A parsed file. @c bytes are those that were parsed, so a hash of them is a hash of what was understood. */
typedef struct xml_file {
  const char *path; /* as given; not owned */
  char *bytes;
  size_t length;
  xmlDoc *document;
} xml_file;

/* Parse @p path without network, DTD or entities. TUTTI_ERR_IO, or TUTTI_ERR_ARGUMENT with FILE:LINE. */
tutti_status tutti_xml_file_read(const char *path, xml_file *file, tutti_error *error);

void tutti_xml_file_free(xml_file *file);

/* TUTTI_ERR_ARGUMENT with "FILE:LINE: " and the message, LINE being where the start tag of @p node ends. */
tutti_status tutti_xml_fail(const xml_file *file, const xmlNode *node, tutti_error *error, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

xmlNode *tutti_xml_root(const xml_file *file);

/* The next node of the tree below @p root in document order, NULL after the last. Begin with the root itself. */
xmlNode *tutti_xml_next(const xmlNode *node, const xmlNode *root);

/* First element among @p node and its later siblings; NULL if there is none. */
xmlNode *tutti_xml_element_from(xmlNode *node);

bool tutti_xml_is(const xmlNode *node, const char *name);

/* Value of an attribute, owned by the tree; NULL if it is absent. */
const char *tutti_xml_attribute(const xmlNode *node, const char *name);

#endif
