/* UTF-8: what is valid, and how many columns of a terminal it takes. */
#include "base/utf8.h"
#include "unit/test.h"

TEST(decoding_steps_by_characters)
{
  static const struct {
    const char *text;
    int length;
    uint32_t code;
  } cases[] = {{"a", 1, 'a'},
               {"\u00b5", 2, 0xb5},
               {"\u2013", 3, 0x2013},
               {"\U0001f600", 4, 0x1f600},
               {"\xed\x9f\xbf", 3, 0xd7ff},
               {"\xf4\x8f\xbf\xbf", 4, 0x10ffff}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    uint32_t code = 0;
    assert_int_equal(tutti_utf8_decode(cases[i].text, &code), cases[i].length);
    assert_int_equal(code, cases[i].code);
    assert_true(tutti_utf8_is_valid(cases[i].text));
  }
}

TEST(malformed_bytes_are_refused)
{
  static const char *const malformed[] = {"\x80",
                                          "\xff",
                                          "\xc0\x80",
                                          "\xc1\xbf",
                                          "\xc3",
                                          "\xc3(",
                                          "\xe0\x80\x80",
                                          "\xed\xa0\x80",
                                          "\xe2\x82",
                                          "\xf0\x80\x80\x80",
                                          "\xf4\x90\x80\x80",
                                          "\xf5\x80\x80\x80",
                                          "ok\xfe"};
  uint32_t code;
  for (size_t i = 0; i < sizeof malformed / sizeof *malformed; i++)
    assert_false(tutti_utf8_is_valid(malformed[i]));
  assert_int_equal(tutti_utf8_decode("\xff", &code), -1);
  assert_int_equal(tutti_utf8_decode("", &code), 0);
  assert_true(tutti_utf8_is_valid(""));
}

TEST(xml_holds_no_control_characters)
{
  static const char *const held[] = {"", "a\t\n\r", "\x7f", "\u00b5", "\U0010ffff", "\ufffd"};
  static const char *const refused[] = {"\x01", "a\x1f", "\ufffe", "\uffff", "\xff", "a\xc3"};
  for (size_t i = 0; i < sizeof held / sizeof *held; i++)
    assert_true(tutti_utf8_is_xml(held[i]));
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
    assert_false(tutti_utf8_is_xml(refused[i]));
}

TEST(width_counts_columns)
{
  assert_int_equal(tutti_utf8_width(""), 0);
  assert_int_equal(tutti_utf8_width("bcast"), 5);
  assert_int_equal(tutti_utf8_width("\u00b5s"), 2);
  assert_int_equal(tutti_utf8_width("e\u0301"), 1);      /* a combining accent */
  assert_int_equal(tutti_utf8_width("\u6f22\u5b57"), 4); /* wide characters */
  assert_int_equal(tutti_utf8_width("\U0001f600"), 2);
  assert_int_equal(tutti_utf8_width("a\xff"), 2);
}

TEST(prefix_cuts_between_characters)
{
  assert_int_equal(tutti_utf8_prefix("bcast", 3), 3);
  assert_int_equal(tutti_utf8_prefix("bcast", 9), 5);
  assert_int_equal(tutti_utf8_prefix("\u00b5\u00b5\u00b5", 2), 4);
  assert_int_equal(tutti_utf8_prefix("\u6f22\u5b57", 3), 3); /* half of the second does not fit */
  assert_int_equal(tutti_utf8_prefix("e\u0301x", 1), 3);
  assert_int_equal(tutti_utf8_prefix("a", 0), 0);
}

TEST(lines_show_no_controls)
{
  static const struct {
    const char *text, *shown;
  } cases[] = {{"plain \xc3\xa4 \U0001f600", "plain \xc3\xa4 \U0001f600"},
               {"\x1b[31mred\x7f\r", "?[31mred??"},
               {"C1 \xc2\x9b"
                "31m",
                "C1 ?31m"},
               {"8 bits \x9b"
                "31m",
                "8 bits ?31m"},
               {"\u202etxt.exe\u2066\u200f\u2028\ufeff", "?txt.exe????"},
               {"cut \xe2\x82", "cut ??"},
               {"lines\n\tstay", "lines\n\tstay"},
               {"a\n::error::b\n \n  ::set-env\n: :", "a\n?:error::b\n \n  ?:set-env\n: :"},
               {"a ##[add-mask]b ###[error]", "a ?#[add-mask]b #?#[error]"},
               {"::first", "::first"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char *copy = strdup(cases[i].text), *put = NULL;
    size_t length;
    bool is_line = strcmp(copy, cases[i].shown) == 0 && !strpbrk(copy, "\n\t");
    assert_int_equal(tutti_utf8_is_line(copy), is_line || strstr(copy, "##["));
    tutti_utf8_clean(copy);
    assert_string_equal(copy, cases[i].shown);
    FILE *stream = open_memstream(&put, &length);
    for (const char *next = cases[i].text; *next;)
      next += tutti_utf8_put(stream, next);
    fclose(stream);
    assert_true(tutti_utf8_is_line(put));
    free(put);
    free(copy);
  }
}
