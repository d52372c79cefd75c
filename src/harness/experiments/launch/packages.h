/* Debian packages that have what may be missing. */
#ifndef TUTTI_EXPERIMENTS_PACKAGES_H
#define TUTTI_EXPERIMENTS_PACKAGES_H

enum tutti_packages {
#define PACKAGES(who, id, names) TUTTI_PACKAGES_##id,
#include "harness/experiments/launch/packages.def"
#undef PACKAGES
};

/* Their names, with a blank between two. */
const char *tutti_packages(enum tutti_packages which);

#endif
