/* A look at XML before it is parsed. */
#ifndef TUTTI_HARNESS_XML_TAGS_H
#define TUTTI_HARNESS_XML_TAGS_H

#include <stddef.h>

/* Most attributes of an element; no element of ours has as many. */
#define XML_MOST_ATTRIBUTES 256

/*
 * Line of the first tag with more attributes than that, 0 if there is none. libxml2 compares each attribute of an
 * element with all before it: 100,000 of them, a megabyte, take minutes.
 */
int tutti_xml_crowded_line(const char *bytes, size_t length);

#endif
