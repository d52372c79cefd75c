/* Walks through folders and archives of results that others made: links, pipes and devices are passed over in silence,
   files that cannot be read are counted and named, and the walk goes on. */
#ifndef TUTTI_STORE_IMPORT_FOLDER_H
#define TUTTI_STORE_IMPORT_FOLDER_H

#include "harness/store/import_archive.h"
#include "tutti/import.h"

struct import_walk;

/* Takes a file, whose last name is given; its failures are passed over. */
typedef tutti_status import_take_text(struct import_walk *walk, const struct import_text *file, const char *name);

struct import_walk {
  tutti_imported *imported;
  bool (*wanted)(const char *name); /* by its last name; archives are opened where it says so */
  import_take_text *take;
  void *context; /* of take */
  int depth;     /* of folders and archives in each other, 0 in the beginning */
  struct import_allowance allowance;
  tutti_error *error;
};

/* In the order of the names. TUTTI_ERR_IO if the folder itself cannot be read; what fails in it, if the reading is
   strict. */
tutti_status tutti_import_walk(struct import_walk *walk, const char *path);

/* The length of the name of an archive without its ending, or 0. */
size_t tutti_import_archive_stem(const char *name);

#endif
