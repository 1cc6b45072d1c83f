/* curve.h - losses by epoch, as a picture: an SVG that looks well on light and dark pages. Threads: one at a time. */
#ifndef LEARN_CURVE_H
#define LEARN_CURVE_H

#include <stddef.h>

#include "base/err.h"

typedef struct {
    double *points; /* training, validation, training... */
    size_t  count, capacity;
} Curve;

void   curve_add(Curve *curve, double training, double validation); /* forgets a point when memory is short */
double curve_last(const Curve *curve, int which);                   /* 0 training, 1 validation; 0 when there is none */
void   curve_release(Curve *curve);

/* Writes <path>.svg. Nothing is written without points. */
bool curve_save(const Curve *curve, const char *path, Err *err);

#endif
