/* What elements a file may hold: a table per format, and the check of a parsed file against it. */
#ifndef TUTTI_HARNESS_XML_SCHEMA_H
#define TUTTI_HARNESS_XML_SCHEMA_H

#include "platforms/xml.h"

/* Says in one clause what is wrong with a value. */
typedef tutti_status xml_value_check(const char *value, tutti_error *error);

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
  /* Up to two alternatives. Names of children separated by blanks; ';' begins a group that stands after the one before
     it. NULL for none. */
  const char *children[2];
  bool text; /* holds text; all others hold elements and comments only */
} xml_element_rule;

/* Is every element and attribute of @p file known, complete, and in its place? @p root names the root element. */
tutti_status tutti_xml_check(const xml_file *file, const char *root, const xml_element_rule *rules, tutti_error *error);

#endif
