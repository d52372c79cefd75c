/* Options of SimGrid's SMPI: one algorithm a collective, for all calls (docs/source/Configuring_SimGrid.rst,
   smpi/COLLECTIVE). */

#include "decision/libraries/export/export.h"
#include "decision/libraries/libraries.h"

static bool has_name(tutti_collective collective)
{
  for (size_t i = 0; tutti_algorithm_at(i); i++)
    if (tutti_algorithm_at(i)->collective == collective && tutti_algorithm_at(i)->smpi_name)
      return true;
  return false;
}

static tutti_size_unit unit(tutti_collective collective)
{
  return has_name(collective) ? TUTTI_UNIT_NONE : TUTTI_UNIT_ABSENT;
}

/* SMPI's algorithms have no parameters. It is asked for all numbers of ranks at once: those that need certain ones have
   ways of their own around the others. */
static bool supports(const tutti_method *method, int ranks)
{
  tutti_method plain = tutti_method_default(method->algorithm);
  (void)ranks;
  return method->algorithm->smpi_name && tutti_method_compare(&plain, method) == 0;
}

static bool force(const tutti_method *method, int ranks, const tutti_library_version *version,
                  tutti_directives *directives)
{
  char option[sizeof directives->items->name];
  tutti_method plain = tutti_method_as(method, TUTTI_IMPLEMENTATION_TUTTI);
  (void)version;
  if (!supports(&plain, ranks))
    return false;
  snprintf(option, sizeof option, "smpi/%s", tutti_collective_name(method->algorithm->collective));
  tutti_directives_add(directives, option, method->algorithm->smpi_name);
  return true;
}

static tutti_status write_options(const tutti_export_part *parts, int count, const char *comment, FILE *stream,
                                  tutti_error *error)
{
  (void)comment; /* the shell puts the file into a command line */
  for (int i = 0; i < count; i++) {
    const tutti_step_table *table = &parts[i].table;
    fprintf(stream, "--cfg=smpi/%s:%s\n", tutti_collective_name(table->collective),
            table->methods[table->rows[0].steps[0].method].algorithm->smpi_name);
  }
  return tutti_target_written(stream, error);
}

static const tutti_target targets[] = {
    {
        .name = "smpi",
        .summary = "options of SimGrid's smpirun, one algorithm a collective",
        .single = true,
        .unit = unit,
        .supports = supports,
        .write = write_options,
        .use = "smpirun $(cat %s) ...",
    },
    {0},
};

const tutti_library tutti_library_smpi = {.name = "smpi", .targets = targets, .force = force};
