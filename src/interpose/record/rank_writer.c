#include "interpose/record/rank_writer.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "base/machine.h"
#include "interpose/mpi_library.h"
#include "tutti/record.h"
#include "tutti/view.h"

/* A simulation has the files of all its ranks in one process, which may not map unlimited files. MAX_MORE in bytes. */
enum { MAX_RANKS = 1 << 14, MAX_MORE = 4 << 20 };

/* From rank 0. */
static uint64_t number_of_run(MPI_Comm comm)
{
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  uint64_t run = (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
  PMPI_Bcast(&run, 1, MPI_UINT64_T, 0, comm);
  return run;
}

/* FILE.RANK as an absolute path, for the program may go to another directory; NULL: out of memory. */
static char *path_of(const char *path, int rank)
{
  char *name = NULL, *here = *path == '/' ? strdup("") : getcwd(NULL, 0);
  if (!here || asprintf(&name, "%s%s%s.%d", here, *here ? "/" : "", path, rank) < 0)
    name = NULL;
  free(here);
  return name;
}

static bool create(struct rank_writer *writer)
{
  unlink(writer->path);
  int file = open(writer->path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (file < 0)
    return false;
  close(file);
  writer->head =
      tutti_rank_writer_reserve(writer, RANK_FILE_HEAD) ? tutti_rank_writer_map(writer, 0, RANK_FILE_HEAD) : NULL;
  return writer->head != NULL;
}

void tutti_rank_writer_open(struct rank_writer *writer, const char *path, const char *kind, MPI_Comm comm,
                            int ranks_per_node)
{
  int rank, size;
  PMPI_Comm_rank(comm, &rank);
  PMPI_Comm_size(comm, &size);
  const uint64_t run = number_of_run(comm);
  *writer = (struct rank_writer){.length = 0};
  writer->path = size <= MAX_RANKS ? path_of(path, rank) : NULL;
  if (!writer->path || !create(writer)) {
    tutti_rank_writer_close(writer);
    return;
  }
  struct rank_file_head *head = writer->head;
  snprintf(head->kind, sizeof head->kind, "%s", kind);
  snprintf(head->flavor, sizeof head->flavor, "%s", tutti_mpi_flavor(tutti_library_kind()));
  tutti_mpi_library(head->library, sizeof head->library);
  snprintf(head->program, sizeof head->program, "%.*s", (int)sizeof head->program - 1, program_invocation_short_name);
  head->ranks = (uint32_t)size;
  head->rank = (uint32_t)rank;
  head->ranks_per_node = (uint32_t)ranks_per_node;
#ifndef SMPI_HELPERS_H /* its hosts are not this machine */
  head->cores = (uint32_t)tutti_machine_cores();
#endif
  head->run = run;
  snprintf(head->magic, sizeof head->magic, RANK_FILE_MAGIC);
}

/* The file is opened for each of these rare calls: a simulation has many files. */
static int open_again(const struct rank_writer *writer)
{
  return open(writer->path, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
}

/* Returns 0, or an errno without space. */
static int extend(struct rank_writer *writer, size_t length)
{
  int file = open_again(writer);
  int reason = file < 0 ? errno : posix_fallocate(file, (off_t)writer->length, (off_t)(length - writer->length));
  if (file >= 0)
    close(file);
  writer->length = reason ? writer->length : length;
  return reason;
}

/* Reserves more than requested, since each time takes as long as thousands of calls; unless space is short. */
bool tutti_rank_writer_reserve(struct rank_writer *writer, size_t length)
{
  const size_t more = writer->length < MAX_MORE ? writer->length : MAX_MORE;
  if (length <= writer->length)
    return true;
  int reason = extend(writer, length + more);
  if (reason && more > 0)
    reason = extend(writer, length);
  errno = reason;
  return reason == 0;
}

void *tutti_rank_writer_map(const struct rank_writer *writer, size_t offset, size_t length)
{
  int file = open_again(writer);
  void *part = file < 0 ? MAP_FAILED : mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_SHARED, file, (off_t)offset);
  const int reason = errno;
  if (file >= 0)
    close(file);
  errno = reason;
  return part == MAP_FAILED ? NULL : part;
}

void tutti_rank_writer_forget(void *part, size_t used, size_t length)
{
  void *copy = malloc(used + 1);
  if (copy)
    memcpy(copy, part, used);
  if (mmap(part, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == part && copy)
    memcpy(part, copy, used);
  free(copy);
}

size_t tutti_rank_writer_read(const struct rank_writer *writer, size_t offset, void *bytes, size_t length)
{
  int file = open_again(writer);
  ssize_t got = file < 0 ? -1 : pread(file, bytes, length, (off_t)offset);
  if (file >= 0)
    close(file);
  return got > 0 ? (size_t)got : 0;
}

void tutti_rank_writer_close(struct rank_writer *writer)
{
  if (writer->head)
    munmap(writer->head, RANK_FILE_HEAD);
  if (writer->path)
    unlink(writer->path);
  free(writer->path);
  *writer = (struct rank_writer){.length = 0};
}

/* ---- the ranks of a communicator that share memory ---- */

int *tutti_find_leaders(MPI_Comm comm, int size)
{
  int leader, *leaders = malloc((size_t)size * sizeof *leaders);
  int known = tutti_node_leader(comm, &leader) == MPI_SUCCESS && leaders;
  PMPI_Allreduce(MPI_IN_PLACE, &known, 1, MPI_INT, MPI_MIN, comm);
  if (known)
    PMPI_Allgather(&leader, 1, MPI_INT, leaders, 1, MPI_INT, comm);
  else {
    free(leaders);
    leaders = NULL;
  }
  return leaders;
}

int tutti_ranks_per_node(const int *leaders, int size)
{
  int most = 1, *counts = leaders ? calloc((size_t)size, sizeof *counts) : NULL;
  for (int r = 0; counts && r < size; r++)
    most = ++counts[leaders[r]] > most ? counts[leaders[r]] : most;
  free(counts);
  return most;
}
