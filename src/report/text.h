/* Numbers as the report prints them. */
#ifndef TUTTI_REPORT_TEXT_H
#define TUTTI_REPORT_TEXT_H

#include <stddef.h>

#define TEXT_LENGTH 48

/* A whole number in groups of three digits: "32,400". Returns @p text, as all of these. */
char *tutti_text_count(size_t number, char text[TEXT_LENGTH]);

/* Four significant digits, whole numbers in groups from 1,000 on: "0.01234", "12.34", "1,234"; a dash if the number is
   not finite. */
char *tutti_text_real(double number, char text[TEXT_LENGTH]);

/* Seconds in microseconds, without the unit. */
char *tutti_text_us(double seconds, char text[TEXT_LENGTH]);

#endif
