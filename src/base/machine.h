/* Facts about the machine that a process runs on, from Linux's /proc and the C library: no program is started. Words
   have no blanks, so that they can be in records; unknown ones are empty or 0. */
#ifndef TUTTI_BASE_MACHINE_H
#define TUTTI_BASE_MACHINE_H

#include <stddef.h>
#include <stdint.h>

enum {
  TUTTI_MACHINE_WORD = 64,
  TUTTI_DATE_LENGTH = 32,
  TUTTI_DIGEST_LENGTH = 17,
  TUTTI_PROCESSORS_WORDS = 64 /* sets of at most 4096 processors */
};

/* The name of the host, into TUTTI_MACHINE_WORD bytes. Returns @p name. */
char *tutti_machine_host(char *name);

/* The model of the CPU, "Intel(R)-Xeon(R)-Processor", into TUTTI_MACHINE_WORD bytes. Returns @p model. */
char *tutti_machine_cpu(char *model);

/* The same as Linux says it, "AMD EPYC 7B13"; "processor" where it does not. Returns @p name. */
char *tutti_machine_processor(char *name, size_t size);

/* Processors that are online. */
int tutti_machine_cores(void);

/* Bytes of memory, and how many of them could be used now. */
uint64_t tutti_machine_memory(uint64_t *available);

/* Processes that ran or wanted to run, on the average of the last minute. */
double tutti_machine_load(void);

/* The processors that this process may run on, a bit each; returns how many. */
int tutti_machine_affinity(uint64_t processors[TUTTI_PROCESSORS_WORDS]);

/* Now, "2026-11-22T18:53:09.123Z", into TUTTI_DATE_LENGTH bytes. Returns @p date. */
char *tutti_machine_date(char *date);

/* ---- digests: 64 bits that identify something without revealing it ---- */

uint64_t tutti_digest(const void *bytes, size_t length);

/* A digest of several, independent of their order and repetitions; sorts them. */
uint64_t tutti_digest_set(uint64_t *digests, size_t count);

/* 16 hexadecimal digits, into TUTTI_DIGEST_LENGTH bytes. Returns @p text. */
char *tutti_digest_format(uint64_t digest, char *text);

#endif
