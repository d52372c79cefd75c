#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "algorithms/mpi/elements.h"
#include "base/machine.h"
#include "base/output.h"
#include "base/say.h"
#include "interpose/mpi_library.h"
#include "interpose/process.h"
#include "tutti/record.h"

static const char *operation_name(MPI_Op op)
{
  const struct {
    MPI_Op op;
    const char *name;
  } known[] = {{MPI_SUM, "sum"},   {MPI_MAX, "max"},   {MPI_MIN, "min"},       {MPI_PROD, "prod"},
               {MPI_LAND, "land"}, {MPI_BAND, "band"}, {MPI_LOR, "lor"},       {MPI_BOR, "bor"},
               {MPI_LXOR, "lxor"}, {MPI_BXOR, "bxor"}, {MPI_MAXLOC, "maxloc"}, {MPI_MINLOC, "minloc"}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (op == known[i].op)
      return known[i].name;
  return op == MPI_REPLACE ? "replace" : "user";
}

/* How much of a file's name counts. SMPI loads a copy of the program for each rank, NAME_PID_RANK.so. */
static int length_of_name(const char *name)
{
  size_t length = strlen(name);
#ifdef SMPI_HELPERS_H
  static const char suffix[] = ".so", digits[] = "0123456789";
  size_t end = length > sizeof suffix ? length - (sizeof suffix - 1) : 0;
  for (int number = 0; number < 2 && end > 0 && strcmp(name + length - (sizeof suffix - 1), suffix) == 0; number++) {
    while (end > 0 && strchr(digits, name[end - 1]))
      end--;
    if (end == 0 || name[end - 1] != '_')
      return (int)length;
    end--;
  }
  length = end > 0 ? end : length;
#endif
  return (int)length;
}

/* FILE+0xOFFSET: the same on all ranks, wherever the file was loaded. */
static void format_site(const void *site, char *word)
{
  Dl_info info;
  char text[64];
  if (!dladdr(site, &info) || !info.dli_fname) {
    tutti_profile_set_word(word, "");
    return;
  }
  const char *slash = strrchr(info.dli_fname, '/'), *name = slash ? slash + 1 : info.dli_fname;
  const int length = length_of_name(name);
  snprintf(text, sizeof text, "%.*s+0x%zx", length < 24 ? length : 24, name,
           (size_t)((const char *)site - (const char *)info.dli_fbase));
  tutti_profile_set_word(word, text);
}

/* The name of the program; that of the file that calls first, if another one runs it, as in a simulation. */
static void format_program(const struct profile *profile, char *word)
{
  tutti_profile_set_word(word, program_invocation_short_name);
#ifdef SMPI_HELPERS_H
  if (profile->row_count > 0) {
    format_site(profile->rows[0].site, word);
    word[strcspn(word, "+")] = '\0';
  }
#else
  (void)profile;
#endif
}

/* The method, or "native"; other forms have the name of the form, and then the method if Tutti served them. That of
   neighbors begins with how many they are: "neighborhood of 8, nonblocking". */
static void format_executor(const struct executor *executor, int neighbors, char word[TUTTI_RESULT_WORD])
{
  char text[TUTTI_RESULT_WORD + TUTTI_METHOD_LENGTH], method[TUTTI_METHOD_LENGTH] = "native", many[24] = "";
  const size_t first = executor->form ? strcspn(executor->form, ",") : 0;
  if (executor->form && neighbors > 0 && strncmp(executor->form, "neighborhood", first) == 0)
    snprintf(many, sizeof many, " of %d", neighbors);
  if (!executor->native)
    tutti_method_format(&executor->method, method);
  if (!executor->form)
    snprintf(text, sizeof text, "%s", method);
  else
    snprintf(text, sizeof text, "%.*s%s%s%s%s", (int)first, executor->form, many, executor->form + first,
             executor->native ? "" : ", ", executor->native ? "" : method);
  tutti_profile_set_word(word, text);
}

void tutti_profile_name_row(const struct profile *profile, struct profile_row *row)
{
  int length;
  char name[MPI_MAX_OBJECT_NAME];
  struct profile_seen *seen = &row->seen;
  const struct profile_shape *shape = &profile->shapes.items[row->shape];
  const bool reduces = tutti_collective_traits(row->executor.collective) & TUTTI_REDUCES;
  format_site(row->site, seen->site);
  format_executor(&row->executor, shape->neighbors, seen->method);
  tutti_profile_set_word(seen->communicator, shape->name);
  tutti_profile_set_word(seen->collective, tutti_collective_name(row->executor.collective));
  tutti_profile_set_word(seen->operation, reduces ? operation_name(row->op) : "-");
  tutti_profile_set_word(seen->type_name, "-");
  seen->ranks = shape->ranks;
  seen->nodes = shape->nodes;
  if (row->type != (MPI_Datatype)0 && row->type != MPI_DATATYPE_NULL) {
    bool named = tutti_type_is_predefined(row->type) && PMPI_Type_get_name(row->type, name, &length) == MPI_SUCCESS;
    tutti_profile_set_word(seen->type_name, named && *name ? name : "derived");
    PMPI_Type_size(row->type, &seen->type_size);
  }
}

/* Samples on the clock of rank 0, as it was at both ends of the program. */
static bool write_samples(const struct profile *profile, const struct clock *last, double now, int rank,
                          struct profile_part *part)
{
  const double length = now - profile->begun, drift = last->offset - profile->clock.offset;
  if (!tutti_vector_reserve(&part->samples, profile->sample_count))
    return false;
  for (uint32_t s = 0; s < profile->sample_count; s++) {
    struct profile_sample sample = profile->samples[s];
    const double time = sample.first_time;
    sample.first_time = time + profile->clock.offset + (length > 0 ? drift * (time - profile->begun) / length : 0);
    sample.last_time = sample.sum = sample.first_time;
    sample.last = rank;
    sample.row = tutti_profile_digest(&part->rows.items[sample.row]);
    part->samples.items[part->samples.count++] = sample;
  }
  return true;
}

static bool write_part(const struct profile *profile, const struct clock *last, double now, int rank,
                       const char *program, struct profile_part *part)
{
  if (!tutti_vector_reserve(&part->rows, profile->row_count))
    return false;
  for (uint32_t r = 0; r < profile->row_count; r++)
    tutti_profile_row(&profile->rows[r].seen, program, profile->scale, &part->rows.items[part->rows.count++]);
  return write_samples(profile, last, now, rank, part);
}

/* Sums over all ranks. */
struct totals {
  int ranks;
  double elapsed, collectives;
  uint64_t calls, left_out;
};

static void sum_up(const struct profile *profile, double ended, struct totals *totals)
{
  *totals = (struct totals){.elapsed = ended - profile->begun, .calls = profile->left_out, .left_out = profile->left_out};
  for (uint32_t r = 0; r < profile->row_count; r++) {
    const struct profile_seen *row = &profile->rows[r].seen;
    totals->collectives += row->total + profile->scale * tutti_profile_estimate_total(row);
    totals->calls += row->calls;
  }
  PMPI_Comm_size(profile->comm, &totals->ranks);
  PMPI_Allreduce(MPI_IN_PLACE, &totals->collectives, 1, MPI_DOUBLE, MPI_SUM, profile->comm);
  PMPI_Allreduce(MPI_IN_PLACE, &totals->elapsed, 1, MPI_DOUBLE, MPI_MAX, profile->comm);
  PMPI_Allreduce(MPI_IN_PLACE, &totals->calls, 1, MPI_UINT64_T, MPI_SUM, profile->comm);
  PMPI_Allreduce(MPI_IN_PLACE, &totals->left_out, 1, MPI_UINT64_T, MPI_SUM, profile->comm);
}

static void set_program(tutti_result *result, const struct totals *totals, const char *program)
{
  *result = (tutti_result){.kind = TUTTI_RESULT_PROGRAM, .ranks_per_node = 1};
  tutti_result_set_word(result, TUTTI_PROGRAM_FIELD_PROGRAM, program);
  result->values[TUTTI_PROGRAM_FIELD_RANKS].integer = (uint64_t)totals->ranks;
  result->values[TUTTI_PROGRAM_FIELD_ELAPSED].seconds = totals->elapsed;
  result->values[TUTTI_PROGRAM_FIELD_COLLECTIVES].seconds = totals->collectives;
  result->values[TUTTI_PROGRAM_FIELD_CALLS].integer = totals->calls;
  result->values[TUTTI_PROGRAM_FIELD_LEFT_OUT].integer = totals->left_out;
}

/* A frame of its own, for a record is large and the stacks of a simulation are small. */
static void __attribute__((noinline)) print_records(FILE *stream, const struct profile *profile, const char *program,
                                                    const struct totals *totals, const struct profile_part *part)
{
  tutti_record record = {.kind = TUTTI_RECORD_RUN};
  snprintf(record.tutti, sizeof record.tutti, "%s", TUTTI_VERSION);
  snprintf(record.flavor, sizeof record.flavor, "%s", tutti_mpi_flavor(tutti_library_kind()));
  tutti_mpi_library(record.library, sizeof record.library);
  record.ranks = totals->ranks;
  record.ranks_per_node = tutti_ranks_per_node(profile->leaders, totals->ranks);
#ifndef SMPI_HELPERS_H /* its hosts are not this machine */
  record.cores = tutti_machine_cores();
#endif
  tutti_record_print(stream, &record);
  record.kind = TUTTI_RECORD_RESULT;
  set_program(&record.result, totals, program);
  tutti_record_print(stream, &record);
  for (size_t r = 0; r < part->rows.count; r++) {
    record.result = part->rows.items[r];
    tutti_record_print(stream, &record);
  }
  record = (tutti_record){.kind = TUTTI_RECORD_END, .measurements = part->rows.count + 1};
  tutti_record_print(stream, &record);
}

static void write_file(const char *path, const struct profile *profile, const char *program,
                       const struct totals *totals, const struct profile_part *part)
{
  struct tutti_output output;
  tutti_error error;
  tutti_status status = tutti_output_begin(path, &output, &error);
  if (status == TUTTI_OK) {
    print_records(output.stream, profile, program, totals, part);
    status = tutti_output_end(&output, TUTTI_OK, &error);
  }
  if (status != TUTTI_OK)
    tutti_say(stderr, "tutti: TUTTI_PROFILE: %s\n", error.message);
  else if (totals->left_out > 0)
    tutti_say(stderr, "tutti: TUTTI_PROFILE: %s: %llu of %llu calls left out: they have too many places, or sizes\n",
              path, (unsigned long long)totals->left_out, (unsigned long long)totals->calls);
}

static void free_rows(struct profile *profile)
{
  if (profile->file.head)
    munmap(profile->rows, PROFILE_ROWS * sizeof *profile->rows);
  else
    free(profile->rows);
  tutti_rank_writer_close(&profile->file);
}

static void free_profile(struct profile *profile)
{
  PMPI_Group_free(&profile->world);
  free(profile->leaders);
  free_rows(profile);
  free(profile->slots);
  free(profile->samples);
  tutti_vector_free(&profile->shapes);
  tutti_vector_free(&profile->seen);
  profile->comm = MPI_COMM_NULL;
}

void tutti_profile_end(struct process *process)
{
  const char *path = process->policy->profile;
  struct profile *profile = &process->profile;
  int rank;
  if (profile->comm == MPI_COMM_NULL)
    return;
  struct clock last = {.offset = 0};
  struct profile_part part = {.rows = {.count = 0}};
  struct totals totals;
  char program[TUTTI_RESULT_WORD];
  const double now = tutti_profile_now(profile->comm, &last);
  PMPI_Comm_rank(profile->comm, &rank);
  format_program(profile, program);
  tutti_profile_set_scale(profile);
  sum_up(profile, process->usage.ended, &totals);
  bool complete = write_part(profile, &last, now, rank, program, &part);
  complete = tutti_profile_gather(profile->comm, &part) && complete;
  if (rank == 0) {
    tutti_profile_set_waiting(&part);
    write_file(path, profile, program, &totals, &part);
    if (!complete)
      tutti_say(stderr, "tutti: TUTTI_PROFILE: %s: out of memory: calls are missing\n", path);
  }
  tutti_profile_part_free(&part);
  free_profile(profile);
}
