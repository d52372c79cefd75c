/* C source of a classifier over ranks and bytes, compiled and loaded: FORM_IFS is what section 5.3.3 of
   Pjesivac-Grbovic 2007 generates, nested tests; FORM_TABLE is that of tutti/code_table.h. */
#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "decide_rows.h"
#include "tutti/code_table.h"

/* Labels nest as ifs do. */

static void print_ifs(const tutti_classifier *classifier, FILE *stream)
{
  fprintf(stream, "#include <stdint.h>\nint decide(int ranks, uint64_t bytes)\n{\n");
  for (int i = 0; i < classifier->node_count; i++) {
    const tutti_node *node = &classifier->nodes[i];
    if (node->attribute < 0)
      fprintf(stream, "n%d: return %d;\n", i, node->label);
    else
      fprintf(stream, "n%d: if (%s <= %.0f%s) goto n%d; else goto n%d;\n", i,
              node->attribute == TUTTI_AXIS_RANKS ? "ranks" : "bytes", node->threshold,
              node->attribute == TUTTI_AXIS_RANKS ? "" : "u", node->first, node->first + 1);
  }
  fprintf(stream, "}\n");
}

size_t decide_code_size(void (*code)(void))
{
  union {
    void (*code)(void);
    void *address;
  } place = {.code = code};
  Dl_info info;
  ElfW(Sym) *symbol = NULL;
  return dladdr1(place.address, &info, (void **)&symbol, RTLD_DL_SYMENT) && symbol ? symbol->st_size : 0;
}

static decide_code load(const char *library)
{
  union {
    void *address;
    decide_code code;
  } found = {0};
  void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL); /* for the rest of the run */
  if (handle)
    found.address = dlsym(handle, "decide");
  else
    fprintf(stderr, "bench-decide: %s\n", dlerror());
  return found.code;
}

/* Returns the bytes of tables. */
static size_t write_source(const char *path, const tutti_classifier *classifier, enum form form)
{
  size_t tables = 0;
  FILE *stream = fopen(path, "w");
  if (!stream)
    return 0;
  if (form == FORM_IFS)
    print_ifs(classifier, stream);
  else
    tutti_code_table_write(classifier, "decide", stream, &tables, NULL);
  fclose(stream);
  return tables;
}

decide_code decide_compile(const tutti_classifier *classifier, enum form form, size_t *memory)
{
  char directory[] = "/tmp/bench-decide-XXXXXX", source[64], library[64], command[256];
  decide_code code = NULL;
  if (!mkdtemp(directory))
    return NULL;
  snprintf(source, sizeof source, "%s/decide.c", directory);
  snprintf(library, sizeof library, "%s/decide.so", directory);
  snprintf(command, sizeof command, "${CC:-cc} -O2 -shared -fPIC -o %s %s", library, source);
  *memory = write_source(source, classifier, form);
  if (system(command) == 0)
    code = load(library);
  *memory += code ? decide_code_size((void (*)(void))code) : 0;
  unlink(source);
  unlink(library);
  rmdir(directory);
  return code;
}
