/* Names, units and order of measured quantities. Linked into the measuring programs, as the records are. */
#include <string.h>

#include "tutti/measurement.h"

static const struct {
  const char *name, *unit;
} quantities[TUTTI_QUANTITIES] = {
    [TUTTI_QUANTITY_HALF_TRIP] = {"half-trip", "s"},
    [TUTTI_QUANTITY_GAP] = {"gap", "s"},
    [TUTTI_QUANTITY_SEND_OVERHEAD] = {"send-overhead", "s"},
    [TUTTI_QUANTITY_RECEIVE_OVERHEAD] = {"receive-overhead", "s"},
    [TUTTI_QUANTITY_GAMMA] = {"gamma", "s/B"},
    [TUTTI_QUANTITY_DELTA] = {"delta", "s/B"},
};

const char *tutti_quantity_name(tutti_quantity quantity)
{
  return (unsigned)quantity < TUTTI_QUANTITIES ? quantities[quantity].name : NULL;
}

const char *tutti_quantity_unit(tutti_quantity quantity)
{
  return (unsigned)quantity < TUTTI_QUANTITIES ? quantities[quantity].unit : NULL;
}

tutti_status tutti_quantity_parse(const char *name, tutti_quantity *quantity, tutti_error *error)
{
  for (int i = 0; i < TUTTI_QUANTITIES; i++)
    if (strcmp(quantities[i].name, name) == 0) {
      *quantity = (tutti_quantity)i;
      return TUTTI_OK;
    }
  return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                    "unknown quantity '%s': known are half-trip, gap, send-overhead, receive-overhead, gamma, delta",
                    name);
}

int tutti_parameter_compare(const void *left_item, const void *right_item)
{
  const tutti_parameter *left = left_item, *right = right_item;
  if (left->quantity != right->quantity)
    return left->quantity < right->quantity ? -1 : 1;
  int order = strcmp(left->of, right->of);
  return order ? order : (left->bytes > right->bytes) - (left->bytes < right->bytes);
}
