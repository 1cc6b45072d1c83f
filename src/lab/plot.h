/* plot.h - two kinds of plots as SVG text: points in columns on a logarithmic scale, and lines.
 *
 * Colours are CSS variables with a light and a dark set; the viewer's preference chooses. No scripts, no outside fonts.
 */
#ifndef LAB_PLOT_H
#define LAB_PLOT_H

#include <stddef.h>

#include "base/buf.h"

typedef struct {
    const char   *name;
    const double *values; /* zero and less are left out on a logarithmic scale */
    size_t        count;
} PlotSeries;

typedef struct {
    const char *title, *x_label, *y_label;
    double      x_first; /* lines: x of the first value; the others follow in steps of one */
} PlotLabels;

enum { PLOT_SERIES_MAX = 32 };

/* One column a series: a dot for every value, a bar for their median. */
void plot_columns(Buf *out, const PlotLabels *labels, const PlotSeries *series, size_t count);

/* One line a series (at most five are told apart), logarithmic upward. */
void plot_lines(Buf *out, const PlotLabels *labels, const PlotSeries *series, size_t count);

#endif
