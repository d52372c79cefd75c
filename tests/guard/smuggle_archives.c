/*
 * Folders of PICO with an archive that tries to reach beyond it: a seed (fuzz/pack.h) with entries and steps of other
 * kinds put in, some of it changed at random, under a name that programs take for something else. The same numbers give
 * the same bytes.
 *
 * usage: smuggle-archives FIRST COUNT VICTIM SECRET FOLDER SEED.archive...   writes FOLDER/NNNNNN/m_metadata.csv and
 *                                                                            FOLDER/NNNNNN/NAME.tar.gz
 *
 * VICTIM: a file that must not be written; SECRET: one that must not be read. Both paths stand in names and links.
 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "fuzz/kinds.h"
#include "fuzz/pack.h"
#include "guard/drawn.h"

/* An archive; one in many unpacks to more than an import takes. */
enum { MAX_BYTES = 8 << 20, BOMBS = 2000 };

static const char wanted[] = "t/0/8_ring_over_int32.csv";

static const char *const names[] = {wanted,
                                    "t/1/64_default_mpich_int32.csv",
                                    "t/alloc.csv",
                                    "t/alloc_n1.csv",
                                    "t",
                                    "t/0",
                                    "@V",
                                    "@V/0/8_ring_over_int32.csv",
                                    "../../victim.txt",
                                    "../t/0/4_ring_over_int32.csv",
                                    "/t/0/16_ring_over_int32.csv",
                                    "t/../t/0/32_ring_over_int32.csv",
                                    "t/0/8_$(touch @V)_int32.csv",
                                    "t/0/8_\x1b]0;told\x07_int32.csv",
                                    "t/0/8_\xc2\x9b"
                                    "2J_int32.csv",
                                    "t/0/99999999999999999999_ring_over_int32.csv",
                                    "t/0/8_ring_over_double.csv",
                                    "host:t.tar.gz",
                                    "t/0/-rf.tar.gz",
                                    "x_metadata.csv",
                                    "t/0/\n.csv",
                                    "",
                                    "/",
                                    "s.db",
                                    "s.db-journal"};
static const char *const links[] = {"", "", "@V", "@S", "/etc/passwd", "..", "/", "t/0/8_ring_over_int32.csv", "t"};
static const char *const sizes[] = {
    "0", "1", "512", "4294967296", "9223372036854775807", "1073741825", "1073741000", "18446744073709551615"};
static const char *const texts[] = {"",
                                    "highest\n3000\n1000\n",
                                    "rank,highest\n0,1500\n",
                                    "highest\n-1\n",
                                    "highest\n1e308\n1e308\n",
                                    "highest\nnan\n",
                                    "highest\n\"1,2\n",
                                    "MPI_Rank,allocation\n0,nid005001\n1,\x1b[31mn1\n",
                                    "MPI_Rank,allocation\n0,$(touch @V)1\n",
                                    "@V\n",
                                    "22 path=/etc/passwd\n\n",
                                    "30 linkpath=../../../../etc/x\n",
                                    "9999999999 path=x\n",
                                    "26 GNU.sparse.realsize=9\n"};
static const char *const steps[] = {"end\n",
                                    "end\n",
                                    "pack gzip\n",
                                    "pack gzip\n",
                                    "pack xz\n",
                                    "pack bzip2\n",
                                    "pack zstd\n",
                                    "pack zip\n",
                                    "pack uuencode\n",
                                    "pack compress\n",
                                    "twice\n",
                                    "zeros 512\n",
                                    "zeros 1000000\n",
                                    "nest t/u.tar.gz\n",
                                    "nest host:u.tar.gz\n",
                                    "nest ../u.tar.gz\n",
                                    "flip 100\n",
                                    "flip 263\n",
                                    "flip 1\n",
                                    "cut 300\n",
                                    "cut 600\n",
                                    "bytes PK%03%04\n"};
static const char *const archives[] = {"host:t",
                                       "user@host:t",
                                       "-rf",
                                       "--use-compress-program=touch @V",
                                       "--checkpoint-action=exec=touch victim.txt",
                                       "|touch victim.txt",
                                       "$(touch victim.txt)",
                                       "a\x1b]0;told\x07",
                                       "a\nb",
                                       "a\xc2\x9b"
                                       "1m",
                                       "%s%n",
                                       "'\"",
                                       " "};
static const char *const machines[] = {"$(touch @V)",
                                       "\x1b[2J",
                                       "a\tb",
                                       "",
                                       "../m",
                                       "m\xc2\x9b"
                                       "1m",
                                       "]]>"};

/* Every byte that is not of a plain word as "%0a", so that it stays one word of the step. */
static void encode(const char *word, char to[3 * MAX_VALUE])
{
  size_t length = 0;
  for (; *word; word++)
    length +=
        (size_t)snprintf(to + length, 4, isalnum((unsigned char)*word) || strchr("./_-,", *word) ? "%c" : "%%%02x",
                         (unsigned char)*word);
  to[length] = '\0';
}

static char *draw_entry(const struct aims *aims)
{
  static const char types[] = "0000000000001122334567xgLKS";
  const char *const forms[] = {PICK(names), PICK(links), PICK(texts)};
  char words[3][3 * MAX_VALUE], value[MAX_VALUE];
  for (int i = 0; i < 3; i++) {
    expand(aims, forms[i], value);
    encode(value, words[i]);
  }
  return tutti_xprintf("entry %c %s %s %s %s\n", types[draw(sizeof types - 1)], words[0], words[1],
                       draw(4) ? "-" : PICK(sizes), words[2]);
}

/* Put a line in front of one of those that are there, most often of the first. */
static void insert_line(fuzz_text *text, const char *line)
{
  size_t at = draw(2) * draw(text->length + 1);
  while (at > 0 && text->bytes[at - 1] != '\n')
    at--;
  fuzz_text_replace(text, at, at, line, strlen(line));
}

static void add_bomb(fuzz_text *text)
{
  static const char bomb[] = "entry 0 t/zeros - 6442450944 \nzeros 4000000\npack gzip\ntwice\ntwice\ntwice\ntwice\n"
                             "twice\ntwice\ntwice\ntwice\ntwice\ntwice\ntwice\n";
  fuzz_text_replace(text, 0, 0, bomb, sizeof bomb - 1);
}

static void draw_text(const fuzz_seeds *seeds, const struct aims *aims, fuzz_text *text)
{
  const fuzz_text *seed = &seeds->texts[draw(seeds->count)];
  fuzz_text_set(text, seed->bytes, seed->length);
  if (draw(4) == 0)
    fuzz_mutate(seeds, &drawn, text);
  for (size_t edits = draw(4); edits > 0; edits--) {
    char *line = draw(4) ? draw_entry(aims) : tutti_xstrdup(PICK(steps));
    insert_line(text, line);
    free(line);
  }
  if (draw(BOMBS) == 0)
    add_bomb(text);
}

static bool write_bytes(const char *path, const char *bytes, size_t length)
{
  const fuzz_text text = {(char *)bytes, length};
  return fuzz_text_write(&text, path);
}

static bool write_folder(const fuzz_text *text, const struct aims *aims, const char *folder, size_t number)
{
  char machine[MAX_VALUE], name[MAX_VALUE];
  expand(aims, draw(8) ? "m" : PICK(machines), machine);
  expand(&(struct aims){"victim.txt", "secret.txt"}, draw(2) ? "t" : PICK(archives), name);
  size_t length;
  char *inner = tutti_xprintf("%s/%06zu", folder, number), *metadata = tutti_xprintf("%s/m_metadata.csv", inner),
       *path = tutti_xprintf("%s/%s.tar.gz", inner, name), *packed = fuzz_pack(text->bytes, MAX_BYTES, &length),
       *tests =
           tutti_xprintf("machine,timestamp,test_id,nnodes,tasks_per_node,collective,mpi_lib,mpi_lib_version,notes\n"
                         "%s,t,0,4,2,allreduce,CRAY_MPICH,8.1.29,\"one, two\"\n%s,t,1,2,1,bcast,OpenMPI,4.1.4,\n",
                         machine, machine);
  const bool written =
      mkdir(inner, 0777) == 0 && write_bytes(metadata, tests, strlen(tests)) && write_bytes(path, packed, length);
  free(tests);
  free(packed);
  free(path);
  free(metadata);
  free(inner);
  return written;
}

int main(int argc, char **argv)
{
  if (argc < 7) {
    fprintf(stderr, "usage: smuggle-archives FIRST COUNT VICTIM SECRET FOLDER SEED.archive...\n");
    return 2;
  }
  const struct aims aims = {argv[3], argv[4]};
  const size_t first = strtoul(argv[1], NULL, 10), count = strtoul(argv[2], NULL, 10);
  fuzz_seeds seeds = {.count = 0, .texts = tutti_xcalloc((size_t)argc, sizeof *seeds.texts)};
  bool good = true;
  for (; good && seeds.count < (size_t)argc - 6; seeds.count++) {
    seeds.texts[seeds.count] = fuzz_text_create();
    good = fuzz_text_read(&seeds.texts[seeds.count], argv[6 + seeds.count]);
  }
  fuzz_text text = fuzz_text_create();
  for (size_t number = first; good && number < first + count; number++) {
    drawn = tutti_splitmix64(number);
    draw_text(&seeds, &aims, &text);
    good = write_folder(&text, &aims, argv[5], number);
  }
  if (!good)
    fprintf(stderr, "smuggle-archives: %s\n", strerror(errno));
  fuzz_text_free(&text);
  fuzz_seeds_free(&seeds);
  return good ? 0 : 1;
}
