/* XML files through libxml2: read, checked against a table of elements, faults reported as FILE:LINE. */
#ifndef TUTTI_PLATFORMS_XML_H
#define TUTTI_PLATFORMS_XML_H

#include <libxml/tree.h>
#include <stdbool.h>
#include <stddef.h>

#include "tutti/error.h"

/* Type of the error that libxml2 passes to a handler: const from 2.12 on. */
#if LIBXML_VERSION >= 21200
typedef const xmlError xml_fault;
#else
typedef xmlError xml_fault;
#endif

/* A parsed file. @c bytes are those that were parsed, so a hash of them is a hash of what was understood; NULL of a
   document that was made, whose elements have no lines. */
typedef struct xml_file {
  const char *path; /* as given; not owned */
  char *bytes;
  size_t length;
  xmlDoc *document;
} xml_file;

/* Maximum attributes of an element; our elements have fewer. libxml2 compares each attribute of an element with all
   before it: 100,000 of them, a megabyte, take minutes. */
#define XML_MAX_ATTRIBUTES 256

/* Line of the first tag with more, or 0. */
int tutti_xml_crowded_line(const char *bytes, size_t length);

/* A document that libxml2 takes of one that only SimGrid takes, with the same lines: a declaration is moved before
   blanks and comments, and comments lose their hyphens. Owned by the caller. */
char *tutti_xml_tolerate(const char *text, size_t length);

/* Parse @p path without network, DTD or entities. TUTTI_ERR_IO, or TUTTI_ERR_ARGUMENT with FILE:LINE. */
tutti_status tutti_xml_file_read(const char *path, xml_file *file, tutti_error *error);

void tutti_xml_file_free(xml_file *file);

/* TUTTI_ERR_ARGUMENT with "FILE:LINE: " and the message, LINE being where the start tag of @p node ends. */
tutti_status tutti_xml_fail(const xml_file *file, const xmlNode *node, tutti_error *error, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

xmlNode *tutti_xml_root(const xml_file *file);

/* The next node of the tree below @p root in document order, NULL after the last. Begin with the root itself. */
xmlNode *tutti_xml_next(const xmlNode *node, const xmlNode *root);

/* First element among @p node and its later siblings, or NULL. */
xmlNode *tutti_xml_element_from(xmlNode *node);

bool tutti_xml_is(const xmlNode *node, const char *name);

/* Value of an attribute, owned by the tree; NULL if it is absent. */
const char *tutti_xml_attribute(const xmlNode *node, const char *name);

/* ---- what elements a file may hold: a table per format, and the check of a parsed file against it ---- */

/* Describes the fault of a value in one clause. */
typedef tutti_status xml_value_check(const char *value, tutti_error *error);

/* An optional one that is empty is as good as absent. */
typedef struct xml_attribute_rule {
  const char *name; /* NULL ends the list */
  bool required;
  xml_value_check *check; /* NULL: any text */
  const char *one_of;     /* allowed words separated by blanks; NULL: any text */
} xml_attribute_rule;

#define XML_REQUIRED(name)                                                                                             \
  {                                                                                                                    \
    name, true, NULL, NULL                                                                                             \
  }
#define XML_OPTIONAL(name)                                                                                             \
  {                                                                                                                    \
    name, false, NULL, NULL                                                                                            \
  }
#define XML_REQUIRED_AS(name, check)                                                                                   \
  {                                                                                                                    \
    name, true, check, NULL                                                                                            \
  }
#define XML_OPTIONAL_AS(name, check)                                                                                   \
  {                                                                                                                    \
    name, false, check, NULL                                                                                           \
  }
#define XML_ONE_OF(name, words)                                                                                        \
  {                                                                                                                    \
    name, false, NULL, words                                                                                           \
  }
#define XML_END                                                                                                        \
  {                                                                                                                    \
    NULL, false, NULL, NULL                                                                                            \
  }
#define XML_ATTRIBUTES(...)                                                                                            \
  (const xml_attribute_rule[])                                                                                         \
  {                                                                                                                    \
    __VA_ARGS__, XML_END                                                                                               \
  }

typedef struct xml_element_rule {
  const char *name; /* NULL ends the list */
  const xml_attribute_rule *attributes;
  /* Up to two alternatives. Names of children separated by blanks; ';' begins a group that comes after the previous
     one. NULL for none. */
  const char *children[2];
  bool text; /* holds text; all others hold elements and comments only */
} xml_element_rule;

/* Check that each element and attribute of @p file is known, complete, and in its place. @p root is the root element.
 */
tutti_status tutti_xml_check(const xml_file *file, const char *root, const xml_element_rule *rules, tutti_error *error);

#endif
