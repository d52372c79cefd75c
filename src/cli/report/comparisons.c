/* What comparisons of tuning files found: it comes before what single measurements say. */
#include <ctype.h>

#include "cli/report/report.h"

const struct file_comparison *report_compared(const struct report *report, const struct report_map *map)
{
  return comparisons_best(&report->comparisons, &report->contents, report_environment(report, map),
                          map->map.collective);
}

void report_print_compared(const struct report *report, const struct report_map *map, FILE *out)
{
  const struct file_comparison *compared = report_compared(report, map);
  if (!compared)
    return;
  char *sentence = comparison_sentence(compared);
  *sentence = (char)toupper((unsigned char)*sentence);
  html_print(out, "<p class=\"gain\">%s.</p>\n", sentence);
  free(sentence);
}

/* ---- all of them ---- */

struct compared_row {
  const char *platform, *library, *file;
  const struct file_comparison *found;
  tutti_collective collective;
  tutti_compared_summary all;
  int rounds, least_rounds;
};

/* The first digits in text; programs get all. */
static void get_file(tutti_cell *cell, const void *row)
{
  const struct compared_row *compared = row;
  tutti_cell_text(cell, compared->file);
  cell->shown = comparison_file(compared->found, cell->buffer);
}

#define COMPARED(member) TUTTI_FIELD(struct compared_row, member)

static const tutti_column columns[] = {
    {"File", "file", .get = get_file},
    {"Collective", "collective", .at = offsetof(struct compared_row, collective), .get = cell_collective},
    {"Platform", "platform", COMPARED(platform)},
    {"Library", "library", COMPARED(library)},
    {"Points", "points", COMPARED(all.points)},
    {"Won", "won", COMPARED(all.won)},
    {"Lost", "lost", COMPARED(all.lost)},
    {"Within the noise", "unclear", COMPARED(all.unclear)},
    {"Mean, %", "mean_percent", COMPARED(all.mean), .decimals = 1},
    {"Worst, %", "max_percent", COMPARED(all.worst), .decimals = 1},
    {"Best, %", "min_percent", COMPARED(all.best), .decimals = 1},
    {"Rounds", "rounds", COMPARED(rounds)},
    {"Needed", "least_rounds", COMPARED(least_rounds)},
};

tutti_table report_comparison_table(const struct report *report)
{
  tutti_table table = {.key = "comparisons",
                       .title = "Tuning files compared with the library left alone: change of the time",
                       TUTTI_COLUMNS(columns),
                       .row_size = sizeof(struct compared_row)};
  for (size_t i = 0; i < report->comparisons.count; i++) {
    const struct file_comparison *found = &report->comparisons.items[i];
    const tutti_environment *own = &report->contents.environments[found->environment];
    const struct compared_row row = {.platform = own->platform,
                                     .library = own->library,
                                     .file = found->file,
                                     .found = found,
                                     .collective = found->collective,
                                     .all = found->all,
                                     .rounds = found->rounds,
                                     .least_rounds = found->least_rounds};
    must(tutti_table_add(&table, &row, &failure));
  }
  return table;
}

void report_print_comparisons(const struct report *report, FILE *out)
{
  tutti_table table = report_comparison_table(report);
  if (table.row_count > 0) {
    fputs("<h3>What comparisons found</h3>\n<p>Pairs of launches, with a file and without: a change within the noise "
          "is neither won nor lost. A file is called by the first digits of its SHA-256 (<code>sha256sum "
          "FILE</code>).</p>\n",
          out);
    html_table(out, &table, "What comparisons found");
  }
  tutti_table_free(&table);
}
