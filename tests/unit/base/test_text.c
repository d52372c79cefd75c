/* Vectors, words of enumerations, lines of text files, numbers. */
#include <fcntl.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "base/text.h"
#include "base/vector.h"
#include "base/words.h"
#include "unit/test.h"

TEST(vectors_grow)
{
  struct {
    TUTTI_VECTOR(int);
  } vector = {0};
  for (int i = 0; i < 1000; i++)
    assert_true(tutti_vector_push(&vector, i));
  tutti_xpush(&vector, 1000);
  assert_int_equal(vector.count, 1001);
  assert_true(vector.capacity >= 1001);
  for (int i = 0; i <= 1000; i++)
    assert_int_equal(vector.items[i], i);
  assert_false(tutti_vector_reserve(&vector, SIZE_MAX / 2));
  assert_false(tutti_vector_reserve(&vector, SIZE_MAX));
  assert_int_equal(vector.items[1000], 1000);
  tutti_vector_free(&vector);
  assert_null(vector.items);
  assert_int_equal(vector.count + vector.capacity, 0);
}

static const char *const colors[] = {"red", NULL, "blue"};

TEST(words_are_found)
{
  int value = 7;
  assert_string_equal(tutti_word_of(colors, 3, 2), "blue");
  assert_null(tutti_word_of(colors, 3, 1));
  assert_null(tutti_word_of(colors, 3, 3));
  assert_null(tutti_word_of(colors, 3, -1));
  assert_int_equal(tutti_word_find(colors, 3, "blue"), 2);
  assert_int_equal(tutti_word_parse(colors, 3, "color", "green", &value, &error), TUTTI_ERR_ARGUMENT);
  assert_string_equal(error.message, "unknown color 'green': known are red, blue");
  assert_int_equal(value, 7);
  assert_int_equal(tutti_word_parse(colors, 3, "color", "blue", &value, &error), TUTTI_OK);
  assert_int_equal(value, 2);
}

/* A list that does not fit ends before a word, and says how many more there are: never in the middle of one. */
TEST(words_are_listed_as_far_as_they_fit)
{
  static const char *const many[] = {"red", "green", "blue", NULL, "white", "yellow", "purple"};
  static const struct {
    size_t length;
    const char *expected;
  } cases[] = {{40, "red, green, blue, white, yellow, purple"},
               {39, "red, green, blue and 3 more"},
               {36, "red, green and 4 more"},
               {24, "red and 5 more"},
               {23, "6 more"}};
  char list[64];
  assert_string_equal(tutti_words_list(colors, 3, list, sizeof "red, blue"), "red, blue");
  assert_string_equal(tutti_words_list(colors, 0, list, sizeof list), "");
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    assert_string_equal(tutti_words_list(many, 7, list, cases[i].length), cases[i].expected);
}

static tutti_status read_text(const char *text, size_t length, int *count, char *last, tutti_error *error)
{
  struct tutti_lines lines;
  *count = 0;
  tutti_lines_open_text(&lines, text, length, "name", error);
  while (tutti_lines_next(&lines)) {
    ++*count;
    strcpy(last, lines.text);
    if (strcmp(lines.text, "bad") == 0)
      tutti_lines_fault(&lines, "%s line", lines.text);
  }
  return tutti_lines_close(&lines);
}

TEST(lines_are_read)
{
  char last[80];
  int count;
  assert_int_equal(read_text("one\r\n\ntwo", 9, &count, last, &error), TUTTI_OK);
  assert_int_equal(count, 3);
  assert_string_equal(last, "two");
  assert_int_equal(read_text("", 0, &count, last, &error), TUTTI_OK);
  assert_int_equal(count, 0);
  assert_int_equal(read_text("one\nbad\ntwo", 11, &count, last, &error), TUTTI_ERR_ARGUMENT);
  assert_int_equal(count, 2);
  assert_string_equal(error.message, "name:2: bad line");
  assert_int_equal(read_text("one\nt\0wo\n", 9, &count, last, &error), TUTTI_ERR_ARGUMENT);
  assert_string_equal(error.message, "name:2: a zero byte: this is not a text file");
}

TEST(files_that_cannot_be_read_are_named)
{
  struct tutti_lines lines;
  assert_int_equal(tutti_lines_open(&lines, "/no/such/file", TUTTI_INPUT_TEXT, &error), TUTTI_ERR_IO);
  assert_string_equal(error.message, "/no/such/file: No such file or directory");
  assert_false(tutti_lines_next(&lines));
  assert_int_equal(tutti_lines_close(&lines), TUTTI_ERR_IO);
  assert_int_equal(tutti_lines_open(&lines, "/", TUTTI_INPUT_TEXT, &error), TUTTI_ERR_IO);
  assert_false(tutti_lines_next(&lines));
  assert_int_equal(tutti_lines_close(&lines), TUTTI_ERR_IO);
  assert_string_equal(error.message, "/: Is a directory");
}

static tutti_status read_all(const char *path, tutti_error *error)
{
  struct tutti_lines lines;
  char *bytes;
  size_t length;
  tutti_status status = tutti_input_read(path, TUTTI_INPUT_TEXT, &bytes, &length, error);
  free(bytes);
  tutti_lines_open(&lines, path, TUTTI_INPUT_TEXT, NULL);
  while (tutti_lines_next(&lines))
    continue;
  assert_int_equal(tutti_lines_close(&lines) == TUTTI_OK, status == TUTTI_OK);
  return status;
}

TEST(no_file_is_waited_for_or_too_large)
{
  char place[] = "/tmp/tutti-input-XXXXXX", *path, *bytes;
  size_t length;
  assert_non_null(mkdtemp(place));
  path = tutti_xprintf("%s/file", place);
  assert_int_equal(mkfifo(path, 0600), 0);
  assert_fails(read_all(path, &error), TUTTI_ERR_IO, error, "/file: not a regular file");
  assert_int_equal(unlink(path), 0);
  int file = open(path, O_WRONLY | O_CREAT, 0600);
  assert_int_equal(write(file, "text", 4), 4);
  assert_int_equal(read_all(path, &error), TUTTI_OK);
  assert_int_equal(tutti_input_read_text(path, 3, &bytes, &length, &error), TUTTI_ERR_IO);
  assert_int_equal(tutti_input_read_text(path, 4, &bytes, &length, &error), TUTTI_OK);
  assert_int_equal(length, 4);
  assert_string_equal(bytes, "text");
  free(bytes);
  assert_int_equal(ftruncate(file, TUTTI_INPUT_TEXT + 1), 0);
  assert_fails(read_all(path, &error), TUTTI_ERR_IO, error, "/file: larger than 64 MB");
  assert_int_equal(ftruncate(file, 5), 0);
  assert_fails(tutti_input_read_text(path, 5, &bytes, &length, &error), TUTTI_ERR_ARGUMENT, error,
               "/file: a zero byte");
  assert_int_equal(read_all("/dev/zero", &error), TUTTI_ERR_IO);
  assert_int_equal(read_all("/proc/self/status", &error), TUTTI_OK); /* of no size */
  close(file);
  assert_int_equal(unlink(path) + rmdir(place), 0);
  free(path);
}

TEST(lines_are_bounded)
{
  const size_t length = (16 << 20) + 1;
  FREED_BY(free_memory) char *text = tutti_xmalloc(length);
  struct tutti_lines lines;
  memset(text, 'x', length);
  tutti_lines_open_text(&lines, text, length - 1, "name", &error);
  assert_true(tutti_lines_next(&lines));
  assert_int_equal(lines.length, length - 1);
  assert_false(tutti_lines_next(&lines));
  assert_int_equal(tutti_lines_close(&lines), TUTTI_OK);
  tutti_lines_open_text(&lines, text, length, "name", &error);
  assert_false(tutti_lines_next(&lines));
  assert_int_equal(tutti_lines_close(&lines), TUTTI_ERR_ARGUMENT);
  assert_string_equal(error.message, "name:1: a line of more than 16 MB");
}

TEST(numbers_are_whole_words)
{
  uint64_t integer = 0;
  double real = 0;
  assert_true(tutti_parse_integer("18446744073709551615", 0, UINT64_MAX, &integer));
  assert_true(integer == UINT64_MAX);
  static const char *const bad[] = {"", " 1", "+1", "-1", "1 ", "1x", "18446744073709551616", "11"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    assert_false(tutti_parse_integer(bad[i], 0, 10, &integer));
  assert_true(tutti_parse_real("-1.5e3", &real));
  assert_true(real == -1500);
  static const char *const unreal[] = {"", " 1", "1 ", "nan", "inf", "1e999", "x"};
  for (size_t i = 0; i < sizeof unreal / sizeof *unreal; i++)
    assert_false(tutti_parse_real(unreal[i], &real));
}

TEST(words_have_keys)
{
  const char *word = "ranks=4=5";
  assert_ptr_equal(tutti_word_value(word, "ranks"), word + 6);
  assert_string_equal(tutti_word_value("ranks=", "ranks"), "");
  assert_null(tutti_word_value(word, "rank"));
  assert_null(tutti_word_value("rank", "ranks"));
}

TEST(one_is_no_plural)
{
  assert_string_equal(tutti_plural(0), "s");
  assert_string_equal(tutti_plural(1), "");
  assert_string_equal(tutti_plural(2), "s");
}
