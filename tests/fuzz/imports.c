/* What other benchmarks print: whatever is taken can be stored. */
#include "kinds.h"
#include "pack.h"
#include "tutti/import.h"

static void check(const fuzz_trial *trial, const tutti_imported *imported)
{
  for (size_t i = 0; i < imported->count; i++) {
    const tutti_measurement *m = &imported->items[i].measurement;
    uint64_t total;
    if (!(m->minimum <= m->median && m->median <= m->maximum) || !isfinite(m->maximum) || m->minimum < 0)
      fuzz_fail(trial, "times that are not in order");
    if (m->ranks < 1 || m->root >= m->ranks || m->repetitions < 1 || m->rank_bytes != m->count * m->type_size ||
        !tutti_total_bytes(m, &total) || total != m->total_bytes)
      fuzz_fail(trial, "sizes that do not fit");
    if (!*imported->items[i].program)
      fuzz_fail(trial, "no program");
  }
}

static bool feed(const fuzz_trial *trial, tutti_import_how how)
{
  tutti_imported imported = {.passed.strict = trial->text->length % 2 == 1};
  tutti_error error = {0};
  char *path = fuzz_file(trial, "input.txt", trial->text->bytes, trial->text->length);
  FILE *stream = fopen(path, "r");
  if (!stream)
    abort();
  bool taken = fuzz_taken(trial, tutti_import_read(&imported, &how, stream, path, &error), &error, path);
  fclose(stream);
  if (taken)
    check(trial, &imported);
  tutti_imported_free(&imported);
  free(path);
  return taken;
}

bool fuzz_feed_import(const fuzz_trial *trial)
{
  return feed(trial, (tutti_import_how){.format = TUTTI_IMPORT_GUESS, .ranks = 4, .ranks_per_node = 1});
}

bool fuzz_feed_csv(const fuzz_trial *trial)
{
  return feed(trial, (tutti_import_how){.format = TUTTI_IMPORT_CSV,
                                        .map = "ranks=np,method=alg,bytes=size,us=latency",
                                        .collective = 1 + TUTTI_COLL_BCAST,
                                        .implementation = TUTTI_IMPLEMENTATION_OPENMPI});
}

bool fuzz_feed_pico(const fuzz_trial *trial)
{
  return feed(trial, (tutti_import_how){.format = TUTTI_IMPORT_PICO});
}

/* A folder of PICO with an archive that the text makes (pack.h), and after a line "---- tests" its metadata. */
bool fuzz_feed_archive(const fuzz_trial *trial)
{
  static const char part[] = "---- tests\n",
                    tests[] = "timestamp,test_id,nnodes,tasks_per_node,collective_type,mpi_lib,mpi_lib_version,notes\n"
                              "t,0,4,2,allreduce,CRAY_MPICH,8.1.29,\"one, two\"\n"
                              "t,1,2,1,bcast,Open MPI,4.1.4,\n";
  enum { MAX_BYTES = 1 << 18 };
  tutti_imported imported = {.items = NULL};
  tutti_error error = {0};
  size_t length;
  const char *own = strstr(trial->text->bytes, part);
  own = own ? own + sizeof part - 1 : tests;
  char *bytes = fuzz_pack(trial->text->bytes, MAX_BYTES, &length),
       *packed = fuzz_file(trial, "t.tar.gz", bytes, length),
       *metadata = fuzz_file(trial, "m_metadata.csv", own, strlen(own));
  const tutti_import_how how = {.format = TUTTI_IMPORT_PICO};
  const bool taken =
      fuzz_taken(trial, tutti_import_read_folder(&imported, &how, trial->folder, &error), &error, trial->folder);
  if (taken)
    check(trial, &imported);
  tutti_imported_free(&imported);
  free(metadata);
  free(packed);
  free(bytes);
  return taken;
}
