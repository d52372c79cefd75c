/* The JSON writer: commas and lines are its own, strings are escaped, and what is no number or no text becomes null. */
#include "base/json.h"
#include "unit/base/printed.h"

TEST(a_document_has_a_line_for_each_row)
{
  struct printed printed;
  tutti_json json = tutti_json_begin(printed_begin(&printed));
  tutti_json_object(&json, NULL);
  tutti_json_string(&json, "platform", "bgp");
  tutti_json_integer(&json, "root", -1);
  tutti_json_array(&json, "ranks");
  tutti_json_count(&json, NULL, 2);
  tutti_json_count(&json, NULL, UINT64_MAX);
  tutti_json_end(&json);
  tutti_json_boolean(&json, "agrees", true);
  tutti_json_boolean(&json, "fails", false);
  tutti_json_array(&json, "rows");
  for (int i = 0; i < 2; i++) {
    tutti_json_object(&json, NULL);
    tutti_json_real(&json, "time_s", 0.25 + i, 0);
    tutti_json_array(&json, "worst");
    tutti_json_object(&json, NULL);
    tutti_json_end(&json);
    tutti_json_end(&json);
    tutti_json_end(&json);
  }
  tutti_json_end(&json);
  tutti_json_array(&json, "none");
  tutti_json_end(&json);
  tutti_json_end(&json);
  printed_expect(&printed, "{\"platform\": \"bgp\", \"root\": -1,\n"
                           " \"ranks\": [2, 18446744073709551615],\n"
                           " \"agrees\": true, \"fails\": false,\n"
                           " \"rows\": [\n"
                           "  {\"time_s\": 0.25, \"worst\": [{}]},\n"
                           "  {\"time_s\": 1.25, \"worst\": [{}]}\n"
                           " ],\n"
                           " \"none\": []}\n");
}

TEST(an_array_may_be_the_document)
{
  struct printed printed;
  tutti_json json = tutti_json_begin(printed_begin(&printed));
  tutti_json_array(&json, NULL);
  for (int i = 0; i < 2; i++) {
    tutti_json_array(&json, NULL);
    tutti_json_integer(&json, NULL, i);
    tutti_json_null(&json, NULL);
    tutti_json_end(&json);
  }
  tutti_json_end(&json);
  printed_expect(&printed, "[\n [0, null],\n [1, null]\n]\n");
}

TEST(numbers_that_are_none_are_null)
{
  struct printed printed;
  tutti_json json = tutti_json_begin(printed_begin(&printed));
  tutti_json_array(&json, NULL);
  tutti_json_real(&json, NULL, NAN, 0);
  tutti_json_real(&json, NULL, INFINITY, 3);
  tutti_json_real(&json, NULL, 1.0 / 3, 0);
  tutti_json_real(&json, NULL, 1.0 / 3, 3);
  tutti_json_real(&json, NULL, 1e-9, 6);
  tutti_json_string(&json, NULL, NULL);
  tutti_json_end(&json);
  printed_expect(&printed, "[null, null, 0.333333333333, 0.333, 1e-09, null]\n");
}

static void check_quoted(const char *text, const char *expected)
{
  struct printed printed;
  tutti_json_quote(printed_begin(&printed), text);
  printed_expect(&printed, expected);
}

TEST(strings_are_escaped)
{
  check_quoted("", "\"\"");
  check_quoted("a \"b\" \\ c", "\"a \\\"b\\\" \\\\ c\"");
  check_quoted("\n\t\033[2J\177", "\"\\u000a\\u0009\\u001b[2J\\u007f\"");
  check_quoted("\u00b5s \u2013 \U0001f600", "\"\u00b5s \u2013 \U0001f600\"");
}

/* What is no UTF-8 would make the whole document invalid. */
TEST(bytes_that_are_no_text_are_replaced)
{
  check_quoted("a\xff"
               "b",
               "\"a\\ufffdb\"");
  check_quoted("\xc3", "\"\\ufffd\"");                                  /* ends too early */
  check_quoted("\xc0\xaf", "\"\\ufffd\\ufffd\"");                       /* overlong */
  check_quoted("\xed\xa0\x80", "\"\\ufffd\\ufffd\\ufffd\"");            /* a surrogate */
  check_quoted("\xf4\x90\x80\x80", "\"\\ufffd\\ufffd\\ufffd\\ufffd\""); /* above U+10FFFF */
}

/* Keys are escaped as other strings are, for they may be names from files. */
TEST(keys_are_escaped)
{
  struct printed printed;
  tutti_json json = tutti_json_begin(printed_begin(&printed));
  tutti_json_object(&json, NULL);
  tutti_json_integer(&json, "a\"b", 1);
  tutti_json_end(&json);
  printed_expect(&printed, "{\"a\\\"b\": 1}\n");
}

/* No text can end the element that the document stands in. */
TEST(a_document_in_html_has_no_markup)
{
  struct printed printed;
  tutti_json json = tutti_json_begin_script(printed_begin(&printed));
  tutti_json_object(&json, NULL);
  tutti_json_string(&json, "a<b", "</script><!--");
  tutti_json_array(&json, "rows");
  for (int i = 0; i < 2; i++) {
    tutti_json_array(&json, NULL);
    tutti_json_string(&json, NULL, "a\"b\\c\n\u00b5");
    tutti_json_real(&json, NULL, 0.1, 6);
    tutti_json_end(&json);
  }
  tutti_json_end(&json);
  tutti_json_end(&json);
  printed_expect(&printed, "{\"a\\u003cb\":\"\\u003c/script>\\u003c!--\",\n\"rows\":["
                           "\n[\"a\\\"b\\\\c\\u000a\u00b5\",0.1],\n[\"a\\\"b\\\\c\\u000a\u00b5\",0.1]]}");
}
