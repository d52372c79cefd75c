/* The tables and statements of results, written from the description of their kinds. Columns are named as the fields
 * are, in quotes: some are words of SQL, too ("order", "group"). */
#include <inttypes.h>
#include <stdio.h>

#include "store/store_sql.h"

enum store_statement tutti_store_result_statement(tutti_result_kind kind, enum store_result_action action)
{
  return (enum store_statement)(STORE_RESULT_STATEMENTS + 3 * (int)kind + (int)action);
}

static void write_column(FILE *stream, const tutti_field *field)
{
  const char *name = field->name;
  if (field->type == TUTTI_FIELD_WORD)
    fprintf(stream, "  \"%s\" TEXT NOT NULL CHECK (\"%s\" <> ''),", name, name);
  else if (field->type == TUTTI_FIELD_SECONDS)
    fprintf(stream, "  \"%s\" REAL NOT NULL CHECK (\"%s\" >= 0),", name, name);
  else if (field->type == TUTTI_FIELD_REAL)
    fprintf(stream, "  \"%s\" REAL NOT NULL,", name);
  else
    fprintf(stream, "  \"%s\" INTEGER NOT NULL CHECK (\"%s\" >= %" PRIu64 "),", name, name, field->least);
}

static void write_table(FILE *stream, const tutti_result_layout *layout)
{
  fprintf(stream,
          "CREATE TABLE IF NOT EXISTS %s ("
          "  environment INTEGER NOT NULL REFERENCES environment (id),"
          "  ranks_per_node INTEGER NOT NULL CHECK (ranks_per_node >= 1),",
          layout->table);
  for (int f = 0; f < layout->field_count; f++)
    write_column(stream, &layout->fields[f]);
  for (int p = 0; p < layout->pair_count; p++)
    fprintf(stream, "  CHECK (\"%s\" <= \"%s\"),", layout->fields[layout->pairs[p][0]].name,
            layout->fields[layout->pairs[p][1]].name);
  fprintf(stream, "  PRIMARY KEY (environment");
  for (int f = 0; f < layout->field_count && layout->fields[f].key; f++)
    fprintf(stream, ", \"%s\"", layout->fields[f].name);
  fprintf(stream, ", ranks_per_node)) STRICT, WITHOUT ROWID;");
}

static void write_put(FILE *stream, const tutti_result_layout *layout)
{
  fprintf(stream, "INSERT OR REPLACE INTO %s VALUES (?1", layout->table);
  for (int column = 1; column < RESULT_FIELDS + layout->field_count; column++)
    fprintf(stream, ", ?%d", column + 1);
  fputc(')', stream);
}

static void write_selected(FILE *stream, const tutti_result_layout *layout)
{
  fprintf(stream, " FROM environment e CROSS JOIN %s r ON r.environment = e.id%s AND (?6 = 0 OR r.ranks_per_node = ?6)",
          layout->table, tutti_store_of_environment);
}

static void write_statement(FILE *stream, const tutti_result_layout *layout, int action)
{
  if (action == RESULT_PUT) {
    write_put(stream, layout);
    return;
  }
  fprintf(stream, action == RESULT_ROWS ? "SELECT r.*"
                                        : "SELECT DISTINCT e.platform, e.platform_hash, e.flavor, e.library, e.tutti");
  write_selected(stream, layout);
  if (action == RESULT_CONDITIONS)
    fprintf(stream, " ORDER BY 1, 2, 3, 4, 5");
}

enum { TABLE = -1 };

static char *compose(tutti_result_kind kind, int action)
{
  char *text = NULL;
  size_t length = 0;
  const tutti_result_layout *layout = tutti_result_layout_of(kind);
  FILE *stream = open_memstream(&text, &length);
  if (!stream)
    return NULL;
  if (action == TABLE)
    write_table(stream, layout);
  else
    write_statement(stream, layout, action);
  return fclose(stream) == 0 ? text : NULL;
}

char *tutti_store_result_sql(enum store_statement statement)
{
  int index = (int)statement - STORE_RESULT_STATEMENTS;
  return compose((tutti_result_kind)(index / 3), index % 3);
}

char *tutti_store_result_table(tutti_result_kind kind)
{
  return compose(kind, TABLE);
}
