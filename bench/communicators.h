/* What bench-communicators makes: the groups of figure 5 of Kamal, Mirtaheri, Wagner 2010. */
#ifndef TUTTI_BENCH_COMMUNICATORS_H
#define TUTTI_BENCH_COMMUNICATORS_H

#include "harness/measure/maps/group_shapes.h"
#include "tutti/communicator.h"

enum { MAX_COMMUNICATORS = 64 };

struct communicators_options {
  enum shape shape;
  int members; /* 0: as many as fit */
  tutti_sharing sharing;
  tutti_map_strategy strategy;
  int ranks_per_node, communicators, messages, gathers, seed;
  bool help;
};

extern const char communicators_usage[];
extern const char *const sharing_names[3];

/* Read the command line; TUTTI_ERR_ARGUMENT says what is wrong with it. */
tutti_status communicators_options_read(int argc, char **argv, struct communicators_options *options,
                                        tutti_error *error);

/* Messages between pairs of members, all drawn. */
struct traffic {
  int messages, seed;
};

/* The own messages among all. */
struct own {
  int *peers; /* [count] ranks; those to be received from first */
  int received, count;
};

/* @param own  receives what is to be freed: peers */
tutti_status traffic_draw(const struct traffic *traffic, const tutti_view *view, struct own *own, tutti_error *error);

/* TUTTI_ERR_FAULT if a message is that of another rank. */
tutti_status traffic_exchange(const struct own *own, const tutti_view *view, tutti_error *error);

#endif
