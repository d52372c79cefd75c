/* What main.sh runs: one case that passes, one that fails. */
#include "unit/test.h"

TEST(passes)
{
}

TEST(fails)
{
  assert_true(*state);
}
