/* Importing: aggregated_results_summary.csv of PICO, which has a line for each file of times. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "harness/store/import_pico_folder.h"

static const struct import_columns summary = {.cut = CUT_COMMAS,
                                              .items = {{"collective_type", FIELD_COLLECTIVE},
                                                        {"buffer_size", FIELD_SIZE},
                                                        {"algo_name", FIELD_METHOD},
                                                        {"datatype", FIELD_TYPE},
                                                        {"n_iter", FIELD_REPETITIONS},
                                                        {"min", FIELD_MINIMUM},
                                                        {"median", FIELD_MEDIAN},
                                                        {"mean", FIELD_MEAN},
                                                        {"max", FIELD_MAXIMUM},
                                                        {"nnodes", FIELD_NODES},
                                                        {"tasks_per_node", FIELD_RANKS_PER_NODE},
                                                        {"system", FIELD_MACHINE},
                                                        {"timestamp", FIELD_TIME},
                                                        {"test_id", FIELD_NUMBER},
                                                        {"mpi_lib", FIELD_LIBRARY},
                                                        {"mpi_lib_version", FIELD_VERSION},
                                                        {"gpu_lib", FIELD_GPU},
                                                        {"gpu_lib_version", FIELD_GPU_VERSION},
                                                        {"notes", FIELD_SETTINGS}}};

static tutti_status take_summary_row(struct import_walk *walk, const struct tutti_lines *lines,
                                     struct import_table *table)
{
  const char *test[FIELDS], *cells[FIELDS] = {NULL};
  tutti_passed *passed = &walk->imported->passed;
  if (tutti_import_cells(table, lines->text) != table->count)
    return tutti_pass_over(passed, lines->path, lines->number, "not as many cells as headings", walk->error, "%s", "");
  const uint64_t type_size = tutti_import_type_size(tutti_pico_text(table->cells[FIELD_TYPE]));
  memcpy(test, table->cells, sizeof test);
  for (int f = FIELD_SIZE; f <= FIELD_MAXIMUM; f++)
    cells[f] = table->cells[f];
  cells[FIELD_METHOD] = table->cells[FIELD_METHOD];
  if (type_size == 0)
    return tutti_pass_over(passed, lines->path, lines->number, "unknown type", walk->error, "'%.40s'",
                           tutti_pico_text(table->cells[FIELD_TYPE]));
  char *shown = tutti_xprintf("%s:%d", lines->path, lines->number);
  const tutti_status status = tutti_pico_add_result(walk, test, cells, type_size, true, shown);
  free(shown);
  return status;
}

/* A table of all results of a time, nanoseconds, which serves where the files of times are missing. Other tables are
   left alone. */
static tutti_status read_summary(struct import_walk *walk, const struct import_text *file)
{
  struct pico_folder *folder = walk->context;
  struct tutti_lines lines;
  struct import_table table = {.known = &summary};
  tutti_status status = TUTTI_OK;
  tutti_lines_open_text(&lines, file->bytes, file->length, file->shown, walk->error);
  lines.zeros = true;
  if (tutti_lines_next(&lines))
    tutti_import_headings(&table, lines.text);
  bool complete = table.count > 0 && table.count <= IMPORT_WORDS;
  for (int f = FIELD_COLLECTIVE; f <= FIELD_LIBRARY; f++)
    complete = complete && table.seen[f] > 0;
  complete = complete && table.seen[FIELD_SIZE] && table.seen[FIELD_MEDIAN] && table.seen[FIELD_METHOD] &&
             table.seen[FIELD_TIME] && table.seen[FIELD_MACHINE] && table.seen[FIELD_NODES];
  folder->files += complete;
  while (complete && status == TUTTI_OK && tutti_lines_next(&lines))
    if (lines.length > 0)
      status = take_summary_row(walk, &lines, &table);
  const tutti_status read = tutti_lines_close(&lines);
  return status != TUTTI_OK ? status : read;
}

tutti_status tutti_pico_keep_summary(struct pico_folder *folder, const struct import_text *file)
{
  char *bytes = tutti_xmalloc(file->length + 1);
  memcpy(bytes, file->bytes, file->length);
  tutti_xpush(&folder->summaries, (struct import_text){bytes, file->length, tutti_xstrdup(file->shown)});
  return TUTTI_OK;
}

tutti_status tutti_pico_read_summaries(struct import_walk *walk)
{
  struct pico_folder *folder = walk->context;
  tutti_status status = TUTTI_OK;
  for (size_t i = 0; i < folder->summaries.count && status == TUTTI_OK; i++)
    status = read_summary(walk, &folder->summaries.items[i]);
  tutti_import_texts_free(&folder->summaries);
  return status;
}
