/* The groups of communicators of Kamal, Mirtaheri, Wagner 2010, figure 5; bench-communicators makes them, too. */
#ifndef TUTTI_MEASURE_GROUP_SHAPES_H
#define TUTTI_MEASURE_GROUP_SHAPES_H

enum shape { SHAPE_DECREASING, SHAPE_TWO_RUNS, SHAPE_HOLE, SHAPE_RANGES, SHAPE_RANGE_STRIDE, SHAPES };

extern const char *const tutti_shape_names[SHAPES];

/* The most members of a group of a shape in a world. */
int tutti_shape_capacity(enum shape shape, int world);

/* The rank of process @p process in the group; -1 if it is none of it. Constant time. */
int tutti_shape_rank(enum shape shape, int members, int world, int process);

#endif
