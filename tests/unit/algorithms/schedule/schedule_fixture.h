/* A builder, the arena it is sealed in, and what comes of it. */
#ifndef TUTTI_TESTS_SCHEDULE_FIXTURE_H
#define TUTTI_TESTS_SCHEDULE_FIXTURE_H

#include "tutti/schedule.h"
#include "unit/test.h"

struct fixture {
  tutti_builder *builder;
  tutti_arena arena;
  tutti_schedule schedule;
  tutti_error error;
};

static inline void begin(struct fixture *f, int size, int rank)
{
  *f = (struct fixture){.builder = tutti_builder_create(size, rank)};
  assert_non_null(f->builder);
  tutti_arena_init(&f->arena);
}

static inline void end(struct fixture *f)
{
  tutti_builder_free(f->builder);
  tutti_arena_release(&f->arena);
}

static inline const tutti_schedule *seal(struct fixture *f)
{
  tutti_status status = tutti_schedule_seal(f->builder, &f->arena, &f->schedule, &f->error);
  if (status == TUTTI_OK)
    status = tutti_schedule_validate(&f->schedule, &f->error);
  if (status != TUTTI_OK)
    fail_msg("%s", f->error.message);
  return &f->schedule;
}

static inline tutti_block some(uint64_t count)
{
  return tutti_block_of(TUTTI_OUTPUT, 0, count);
}

static inline void assert_says(const char *message, const char *text)
{
  assert_contains(message, text);
}

#endif
