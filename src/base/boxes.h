/* Boxes, which are an interval of each of several numbers: which one is the first around another? */
#ifndef TUTTI_BASE_BOXES_H
#define TUTTI_BASE_BOXES_H

#include <stddef.h>
#include <stdint.h>

enum { TUTTI_BOX_SIDES = 3 };

/* What a rule answers for, or one point: intervals, both ends included. Sides that are not needed are 0. */
struct tutti_box {
  uint64_t sides[TUTTI_BOX_SIDES][2];
};

/* An index of boxes, which are copied; NULL: out of memory. It takes n log^2 n of time. */
struct tutti_boxes *tutti_boxes_create(const struct tutti_box *boxes, size_t count);

/* The least index below @p limit of a box around @p box; @p limit: there is none. */
size_t tutti_boxes_around(const struct tutti_boxes *boxes, const struct tutti_box *box, size_t limit);

void tutti_boxes_free(struct tutti_boxes *boxes);

#endif
