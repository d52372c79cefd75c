/* Settings: user settings that change the times of an MPI library. They are part of the environment of measurements
   (tutti/measurement.h). */
#ifndef TUTTI_EXPERIMENTS_SETTINGS_H
#define TUTTI_EXPERIMENTS_SETTINGS_H

#include "tutti/job.h"

/* Longest text, terminating zero included; what does not fit is replaced by a digest, "more=DIGEST". */
#define TUTTI_SETTINGS_LENGTH 4096

/**
 * The settings of a flavor as canonical text: words NAME=VALUE in alphabetical order, with a blank between two.
 *
 * They come from the parameter files of Open MPI ($HOME/.openmpi/mca-params.conf before that of the system, or those
 * that OMPI_MCA_mca_base_param_files lists), variables
 * of this process and arguments of the launcher, where the last one counts: `--mca NAME VALUE` is
 * OMPI_MCA_NAME=VALUE, `-x NAME=VALUE` and `-genv NAME VALUE` are NAME=VALUE, other options of the launcher are
 * unchanged, with their value after '='. Variables are those that MPI libraries and what is below them read. A
 * file that a variable names is FILE@DIGEST without its folder, so that another content is another setting. Names that
 * tell of a secret (token, password, key) are left out. Bytes that words cannot have are written as %XX.
 *
 * @param launcher   path of the launcher, beside which Open MPI has its file; NULL: none
 * @param arguments  of the user for the launcher, ended by NULL; NULL: none
 * @param launch     may be NULL
 * @return the text, owned by the caller; empty in simulation
 */
char *tutti_settings_collect(const char *flavor, const char *launcher, char *const *arguments,
                             const tutti_launch_options *launch);

/* Settings of one origin, as above, except for files: these have their paths as set. Both texts are owned. */
struct tutti_settings_part {
  char *from; /* "the environment", "the binding of this process", or the path of a parameter file */
  char *text;
};

/* The same by origin; returns how many there are. */
enum { TUTTI_MCA_FILES = 16, TUTTI_SETTINGS_PARTS = TUTTI_MCA_FILES + 3 };
size_t tutti_settings_parts(const char *flavor, const char *launcher,
                            struct tutti_settings_part parts[TUTTI_SETTINGS_PARTS]);

/* A rules file that is set but cannot be read, and that Open MPI ignores without a message: a sentence that names it,
   owned by the caller, or NULL. */
char *tutti_settings_ignored_file(const char *flavor, const char *launcher, char *const *arguments);

/* ---- settings_files.c ---- */

/* Called for each parameter in the parameter files of Open MPI: those of the system, then those of the user; or those
   of the files that OMPI_MCA_mca_base_param_files lists, the first TUTTI_MCA_FILES of them, the last one first. */
typedef void tutti_mca_function(void *context, const char *path, const char *name, const char *value);
void tutti_mca_files(const char *launcher, tutti_mca_function *tell, void *context);

/* The path of the parameter file of the system that they read, owned by the caller; NULL: there is none. */
char *tutti_mca_system_file(const char *launcher);

/* TUTTI_ERR_ARGUMENT if a variable of this process names a tuning file that cannot be read, and programs of the flavor
   crash of that. */
tutti_status tutti_settings_check_files(const char *flavor, tutti_error *error);

/* ---- settings_again.c ---- */

/* The settings of an environment that this process would not have on its own: words "NAME=VALUE " before a command if
   @p variables, else arguments of the launcher, "--bind-to core". Settings that cannot be repeated, such as a file
   known only by its digest, are left out. Owned by the caller. */
char *tutti_settings_again(const char *flavor, const char *settings, bool variables);

/* The command with these words around it, as option --launcher-args where they are arguments. Owned by the caller. */
char *tutti_settings_command(const char *flavor, const char *settings, const char *command);

/* Whether a variable of that name names a file. */
bool tutti_settings_names_file(const char *name);

/* The value of an option among those for sbatch or srun, "-p fast", "-pfast" or "--partition=fast", where the last one
   counts; owned by the caller, NULL: absent. @p letter: NULL without a short form. */
char *tutti_slurm_option(const char *options, const char *letter, const char *name);

/* The digest of the names of hosts; of this one, if @p count is 0. Into TUTTI_DIGEST_LENGTH bytes; returns @p digest.
 */
char *tutti_settings_hosts(char *const *names, size_t count, char *digest);

#endif
