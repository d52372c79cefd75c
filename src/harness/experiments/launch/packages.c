#include "harness/experiments/launch/packages.h"

const char *tutti_packages(enum tutti_packages which)
{
  static const char *const names[] = {
#define PACKAGES(who, id, names) [TUTTI_PACKAGES_##id] = (names),
#include "harness/experiments/launch/packages.def"
#undef PACKAGES
  };
  return names[which];
}
