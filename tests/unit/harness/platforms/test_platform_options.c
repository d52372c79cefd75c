/* Options that a platform file may set: every one takes values of its grammar and no others; and files that it names.
 */
#include <sys/stat.h>

#include "harness/platforms/platform_private.h"
#include "unit/base/scratch_file.h"
#include "unit/test.h"

/* Each with a value that it takes. */
#define TRUTH(name)                     {name, "yes"},
#define WORDS(name, words)              {name, words},
#define INTEGER(name, least, most)      {name, #most},
#define NUMBER(name, least, most, unit) {name, #most},
#define VALUE(name, read)               {name, #read},
#define REFUSED(name, reason)
static const struct option {
  const char *name, *value;
} options[] = {
#include "harness/platforms/platform_options.def"
};

static const char *value_of(const struct option *option, char word[64])
{
  static const char *const values[][2] = {{"read_algorithm", "binomial_tree"},
                                          {"read_bytes", "65536"},
                                          {"read_folder", "~/traces"},
                                          {"read_factors", "0.965;0.925;1.35"},
                                          {"read_host_speed", "2e+09f"}};
  if (strcmp(option->value, "read_pieces") == 0)
    return strstr(option->name, "factor") ? "0:1;65472:0.940694" : "0:1e-6:0;1024:2e-06:1e-9";
  for (size_t i = 0; i < sizeof values / sizeof *values; i++)
    if (strcmp(option->value, values[i][0]) == 0)
      return values[i][1];
  snprintf(word, 64, "%.*s", (int)strcspn(option->value, " "), option->value);
  return word;
}

TEST(every_option_takes_its_values)
{
  for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
    char word[64];
    const char *value = value_of(&options[i], word);
    assert_ok(tutti_platform_check_option(options[i].name, value, &error), error);
  }
}

TEST(no_option_takes_more)
{
  static const char *const forms[] = {"%s tracing:yes",
                                      "%s,tracing:yes",
                                      "%s\ttracing:yes",
                                      "%s\ntracing:yes",
                                      " %s",
                                      "%s ",
                                      ",%s",
                                      "%s,",
                                      "%s$(date)",
                                      "%s`date`",
                                      "%s'",
                                      "%s\"",
                                      "%s\\",
                                      "%s\x7f",
                                      "%s\xc2\xa0",
                                      "%s\x1b[0m",
                                      "--cfg=%s",
                                      "%s*",
                                      "nan%s",
                                      "%s|x"};
  for (size_t i = 0; i < sizeof options / sizeof *options; i++)
    for (size_t f = 0; f < sizeof forms / sizeof *forms; f++) {
      char word[64], text[200];
      const bool name = f == 18 && strcmp(options[i].value, "read_algorithm") == 0; /* nanbinomial_tree */
      const bool folder = f == 18 && strcmp(options[i].value, "read_folder") == 0;
      snprintf(text, sizeof text, forms[f], value_of(&options[i], word));
      if (!name && !folder && tutti_platform_check_option(options[i].name, text, &error) == TUTTI_OK)
        fail_msg("%s=\"%s\" is taken", options[i].name, text);
    }
}

#define HEAD                                                                                                           \
  "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n<platform version=\"4.1\">\n%s"                     \
  "<zone id=\"z\" routing=\"Full\">\n<host id=\"a\" speed=\"1Gf\" speed_file=\"%s\">"                                  \
  "<disk id=\"d\" read_bw=\"1Bps\" write_bw=\"1Bps\"><prop id=\"content\" value=\"%s\"/><prop id=\"size\" "            \
  "value=\"900GiB\"/>"                                                                                                 \
  "</disk></host><host id=\"b\" speed=\"1f\"><prop id=\"remote_disk\" "                                                \
  "value=\"/:d:a\"/></host>\n</zone>\n</platform>\n"

static void write_in(const char *folder, const char *name, const char *text)
{
  char path[256];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  write_file(path, text);
}

/* A zero byte, and a line after it. */
static void append_hidden_line(const char *folder, const char *name)
{
  char path[256];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *stream = fopen(path, "a");
  assert_non_null(stream);
  fwrite("\0\nroot:x:0:0\n", 1, 13, stream);
  assert_int_equal(fclose(stream), 0);
}

/* The platform that names this file, read: NULL if it is taken, else the error. */
static const char *read_both(const char *folder, const char *config, const char *name, const char *content)
{
  static tutti_error error;
  char text[1024], path[256];
  tutti_platform platform;
  snprintf(text, sizeof text, HEAD, config, name, content);
  write_in(folder, "machine.xml", text);
  snprintf(path, sizeof path, "%s/machine.xml", folder);
  if (tutti_platform_read(path, &platform, &error) != TUTTI_OK)
    return error.message;
  assert_true(platform.has_files);
  tutti_platform_free(&platform);
  return NULL;
}

static const char *read_with(const char *folder, const char *config, const char *name)
{
  return read_both(folder, config, name, "");
}

static void assert_says(const char *said, const char *expected)
{
  assert_non_null(said);
  if (!strstr(said, expected))
    fail_msg("%s", said);
}

TEST(named_files_are_regular_ones_with_numbers)
{
  char folder[] = "/tmp/tutti-test-XXXXXX", path[64];
  assert_non_null(mkdtemp(folder));
  write_in(folder, "secret", "root:x:0:0\n");
  write_in(folder, "load", "# a comment\nPERIODICITY 12.0\n 0.0 1.0\r\n\n11.0\t0.5\n");
  write_in(folder, "files", "/a/b 12\n\n c.txt \t 0 \r\n");
  write_in(folder, "hidden", "PERIODICITY 12.0\n 0.0 1.0");
  append_hidden_line(folder, "hidden");
  write_in(folder, "random", "STOCHASTIC LOOP\nDET 1 EXP 2.5\n");
  snprintf(path, sizeof path, "%s/link", folder);
  assert_int_equal(symlink("load", path), 0);
  snprintf(path, sizeof path, "%s/way", folder);
  assert_int_equal(symlink(".", path), 0);
  snprintf(path, sizeof path, "%s/pipe", folder);
  assert_int_equal(mkfifo(path, 0600), 0);
  assert_null(read_with(folder, "", "load"));
  assert_null(read_with(folder, "", "./random"));
  assert_null(read_with(folder, "", "missing"));
  assert_says(read_with(folder, "", "secret"), ":4: speed_file=\"secret\": line 1 of that file has more than numbers");
  assert_says(read_with(folder, "", "hidden"), ":4: speed_file=\"hidden\": line 2 of that file has more than numbers");
  assert_says(read_with(folder, "", "link"), ":4: speed_file=\"link\": a link");
  assert_says(read_with(folder, "", "way/load"), ":4: speed_file=\"way/load\": a link");
  assert_says(read_with(folder, "", "pipe"), ":4: speed_file=\"pipe\": not a regular file");
  assert_says(read_with(folder, "", "."), "not a regular file");
  assert_null(read_both(folder, "", "", "files"));
  assert_null(read_both(folder, "", "", "missing"));
  assert_says(read_both(folder, "", "", "secret"),
              ":4: content=\"secret\": line 1 of that file is no path with a size");
  assert_says(read_both(folder, "", "", "hidden"), ":4: content=\"hidden\": line 1 of that file is no path with a size");
  assert_says(read_both(folder, "", "", "pipe"), ":4: content=\"pipe\": not a regular file");
  assert_says(read_with(folder, "<config><prop id=\"path\" value=\"/etc\"/></config>\n", "load"),
              ":3: option path together with files");
  static const char *const names[] = {"secret", "files", "load", "hidden",     "random",
                                      "link",   "way",   "pipe", "machine.xml"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    snprintf(path, sizeof path, "%s/%s", folder, names[i]);
    unlink(path);
  }
  rmdir(folder);
}

/* SimGrid looks for a file in the current folder before that of the platform. */
TEST(a_file_of_the_same_name_here_is_refused)
{
  char folder[] = "/tmp/tutti-test-XXXXXX", other[] = "/tmp/tutti-test-XXXXXX", before[4096], path[64];
  assert_non_null(getcwd(before, sizeof before));
  assert_non_null(mkdtemp(folder));
  assert_non_null(mkdtemp(other));
  write_in(folder, "load", "0 1\n");
  write_in(other, "load", "0 1\n");
  assert_int_equal(chdir(other), 0);
  assert_says(read_with(folder, "", "load"), "the file of that name in the current folder");
  assert_int_equal(chdir(folder), 0);
  assert_null(read_with(folder, "", "load"));
  assert_int_equal(chdir(before), 0);
  static const char *const names[] = {"load", "machine.xml"};
  for (size_t i = 0; i < 4; i++) {
    snprintf(path, sizeof path, "%s/%s", i < 2 ? folder : other, names[i % 2]);
    unlink(path);
  }
  rmdir(folder);
  rmdir(other);
}
