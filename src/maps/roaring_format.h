/* The interchange format of Roaring bitmaps (RoaringFormatSpec; Lemire, Ssi-Yan-Kai, Kaser 2016). */
#ifndef TUTTI_GROUPS_MAPS_ROARING_FORMAT_H
#define TUTTI_GROUPS_MAPS_ROARING_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Whether bytes are a well-formed bitmap with that many members: CRoaring 0.2 reads no further than it is told, but
 * believes what it reads, so that containers out of order or with a wrong count make it write past its arrays.
 * @param what   receives what is wrong
 */
bool tutti_roaring_format_check(const unsigned char *bytes, size_t length, uint64_t members, const char **what);

#endif
