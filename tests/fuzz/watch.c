#include "watch.h"

#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>

#include "base/clock.h"
#include "unit/base/random.h"

/* Texts of one process: LeakSanitizer looks when it ends. */
enum { BATCH = 500, WALL_SECONDS = 300 };

/* After so many failures the rest would only take time: each may be a hang. */
enum { ENOUGH = 10 };

/* What the process leaves behind, however it ends. */
struct shared {
  uint64_t number; /* the text under way; the end of the batch once all are done */
  uint64_t read, refused;
  char reason[600];
};

void fuzz_text_of(const fuzz_run *run, uint64_t number, fuzz_text *text)
{
  if (number < run->seeds->count) {
    fuzz_text_set(text, run->seeds->texts[number].bytes, run->seeds->texts[number].length);
    return;
  }
  uint64_t state = run->seed * UINT64_C(0x9e3779b97f4a7c15) + number;
  for (const char *c = run->kind->name; *c; c++)
    state = state * 131 + (unsigned char)*c;
  random_next(&state); /* numbers next to each other part ways */
  state ^= random_next(&state);
  fuzz_mutate(run->seeds, &state, text);
}

/* A hang ends by the signal; one that does not even compute, by the alarm. */
static void set_timers(unsigned seconds)
{
  struct itimerval limit = {.it_value = {.tv_sec = seconds}};
  setitimer(ITIMER_PROF, &limit, NULL);
  alarm(seconds ? WALL_SECONDS : 0);
}

static void feed(const fuzz_run *run, uint64_t number, fuzz_text *text, struct shared *shared)
{
  fuzz_trial trial = {text, run->folder, shared->reason, sizeof shared->reason, .aborts = false};
  shared->number = number;
  fuzz_text_of(run, number, text);
  set_timers(run->seconds);
  bool taken = run->kind->feed(&trial);
  set_timers(0);
  if (!taken && number < run->seeds->count)
    fuzz_fail(&trial, "the reader refuses this seed");
  shared->read += taken;
  shared->refused += !taken;
}

static _Noreturn void feed_all(const fuzz_run *run, uint64_t first, uint64_t end, struct shared *shared)
{
  fuzz_text text = fuzz_text_create();
  for (uint64_t number = first; number < end; number++)
    feed(run, number, &text, shared);
  fuzz_text_free(&text);
  shared->number = end;
  exit(EXIT_SUCCESS); /* and not _exit(): leaks are looked for */
}

static void keep(const fuzz_run *run, uint64_t number)
{
  char *path;
  fuzz_text text = fuzz_text_create();
  fuzz_text_of(run, number, &text);
  if (asprintf(&path, "%s/%s-%llu-%llu", run->kept, run->kind->name, (unsigned long long)run->seed,
               (unsigned long long)number) < 0)
    abort();
  if (fuzz_text_write(&text, path))
    fprintf(stderr, "  kept as %s\n", path);
  free(path);
  fuzz_text_free(&text);
}

/* In words how the process ended. */
static void describe(int how, const struct shared *shared, char *text, size_t room)
{
  if (WIFSIGNALED(how) && (WTERMSIG(how) == SIGPROF || WTERMSIG(how) == SIGALRM))
    snprintf(text, room, "a hang");
  else if (WIFSIGNALED(how))
    snprintf(text, room, "a crash: %s", strsignal(WTERMSIG(how)));
  else if (*shared->reason)
    snprintf(text, room, "%s", shared->reason);
  else
    snprintf(text, room, "exit status %d: what a sanitizer found is above", WEXITSTATUS(how));
}

static void complain(const fuzz_run *run, uint64_t first, uint64_t end, int how, const struct shared *shared)
{
  char what[700];
  describe(how, shared, what, sizeof what);
  if (shared->number == end) {
    fprintf(stderr, "fuzz-readers: --kind %s --seed %llu --first %llu --count %llu: %s (a leak)\n", run->kind->name,
            (unsigned long long)run->seed, (unsigned long long)first, (unsigned long long)(end - first), what);
    return;
  }
  fprintf(stderr, "fuzz-readers: --kind %s --seed %llu --first %llu --count 1: %s\n", run->kind->name,
          (unsigned long long)run->seed, (unsigned long long)shared->number, what);
  if (run->kept)
    keep(run, shared->number);
}

/* Feed texts from *number on, to the end of a batch or the first failure; *number becomes the next one. */
static void watch_batch(const fuzz_run *run, uint64_t *number, struct shared *shared, fuzz_report *report)
{
  uint64_t first = *number, end = run->first + run->count;
  end = end - first > BATCH ? first + BATCH : end;
  *shared = (struct shared){.number = first};
  pid_t process = fork();
  if (process == 0)
    feed_all(run, first, end, shared);
  int how = 0;
  if (process < 0 || waitpid(process, &how, 0) != process) {
    perror("fuzz-readers");
    exit(2);
  }
  report->read += shared->read;
  report->refused += shared->refused;
  if (how != 0) {
    report->failed++;
    complain(run, first, end, how, shared);
  }
  *number = shared->number == end ? end : shared->number + 1;
}

fuzz_report fuzz_watch(const fuzz_run *run)
{
  fuzz_report report = {0};
  struct shared *shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED)
    abort();
  double begin = tutti_clock(CLOCK_MONOTONIC);
  for (uint64_t number = run->first; number < run->first + run->count && report.failed < ENOUGH;)
    watch_batch(run, &number, shared, &report);
  report.seconds = tutti_clock(CLOCK_MONOTONIC) - begin;
  munmap(shared, sizeof *shared);
  return report;
}
