/* Files of this folder that are part of every page, compiled in by embed.cmake; texts end with a zero. */
#ifndef TUTTI_REPORT_ASSETS_H
#define TUTTI_REPORT_ASSETS_H

extern const char tutti_report_css[];
extern const char tutti_report_js[];

#endif
