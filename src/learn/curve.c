/* curve.c - see curve.h. */
#include "learn/curve.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"

enum { WIDTH = 640, HEIGHT = 320, LEFT = 72, RIGHT = 16, TOP = 36, BOTTOM = 40 };

void curve_add(Curve *curve, double training, double validation)
{
    if (curve->count == curve->capacity) {
        size_t  capacity = curve->capacity ? 2 * curve->capacity : 32;
        double *grown    = realloc(curve->points, 2 * capacity * sizeof *grown);
        if (!grown) return;
        curve->points   = grown;
        curve->capacity = capacity;
    }
    curve->points[2 * curve->count]       = training;
    curve->points[2 * curve->count++ + 1] = validation;
}

double curve_last(const Curve *curve, int which)
{
    return curve->count ? curve->points[2 * (curve->count - 1) + (size_t)which] : 0;
}

void curve_release(Curve *curve)
{
    free(curve->points);
    *curve = (Curve){0};
}

typedef struct {
    double low, high;
    size_t count;
} Axes;

static double x_of(const Axes *axes, size_t i)
{
    double share = axes->count > 1 ? (double)i / (double)(axes->count - 1) : 0.5;
    return LEFT + share * (WIDTH - LEFT - RIGHT);
}

static double y_of(const Axes *axes, double value)
{
    double share = axes->high > axes->low ? (value - axes->low) / (axes->high - axes->low) : 0.5;
    return HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM);
}

static Axes measure(const Curve *curve)
{
    Axes axes = {.low = curve->points[0], .high = curve->points[0], .count = curve->count};
    for (size_t i = 0; i < 2 * curve->count; i++) {
        if (curve->points[i] < axes.low) axes.low = curve->points[i];
        if (curve->points[i] > axes.high) axes.high = curve->points[i];
    }
    return axes;
}

static void draw_line(Buf *out, const Curve *curve, const Axes *axes, size_t which, const char *style)
{
    buf_printf(out, "<polyline class=\"%s\" points=\"", style);
    for (size_t i = 0; i < curve->count; i++)
        buf_printf(out, "%.1f,%.1f ", x_of(axes, i), y_of(axes, curve->points[2 * i + which]));
    buf_printf(out, "\"/>\n");
}

static void draw(Buf *out, const Curve *curve)
{
    Axes axes = measure(curve);
    buf_printf(out,
               "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"13\">\n",
               WIDTH, HEIGHT);
    buf_printf(out,
               "<style>text{fill:#333}line{stroke:#8884}polyline{fill:none;stroke-width:2}.a{stroke:#2a78c0}.b{stroke:#d9772b}"
               "@media(prefers-color-scheme:dark){text{fill:#ddd}.a{stroke:#6ab0f3}.b{stroke:#f3a15f}}</style>\n");
    for (int i = 0; i <= 4; i++) {
        double value = axes.low + (axes.high - axes.low) * i / 4, y = y_of(&axes, value);
        buf_printf(
            out, "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/><text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.5f</text>\n",
            LEFT, WIDTH - RIGHT, y, y, LEFT - 8, y + 4, value);
    }
    draw_line(out, curve, &axes, 0, "a");
    draw_line(out, curve, &axes, 1, "b");
    buf_printf(out, "<text x=\"%d\" y=\"20\">Loss by epoch: training</text><polyline class=\"a\" points=\"%d,16 %d,16\"/>\n",
               LEFT, LEFT + 152, LEFT + 182);
    buf_printf(out, "<text x=\"%d\" y=\"20\">positions kept aside</text><polyline class=\"b\" points=\"%d,16 %d,16\"/>\n",
               LEFT + 204, LEFT + 338, LEFT + 368);
    buf_printf(out, "<text x=\"%d\" y=\"%d\">1</text><text x=\"%d\" y=\"%d\" text-anchor=\"end\">%zu</text>\n</svg>\n", LEFT,
               HEIGHT - 14, WIDTH - RIGHT, HEIGHT - 14, curve->count);
}

bool curve_save(const Curve *curve, const char *path, Err *err)
{
    Buf name = {0}, out = {0};
    if (curve->count == 0) return true;
    buf_printf(&name, "%s.svg", path);
    draw(&out, curve);
    FILE *file = name.failed || out.failed ? NULL : fopen(name.data, "w");
    bool  ok   = file && fwrite(out.data, 1, out.len, file) == out.len;
    if (file) ok = fclose(file) == 0 && ok;
    if (!ok) err_set_errno(err, ERR_IO, "cannot write %s.svg", path);
    buf_release(&name);
    buf_release(&out);
    return ok;
}
