/* err.c - see err.h. */
#include "base/err.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool err_set(Err *err, ErrCode code, size_t offset, const char *format, ...)
{
    if (!err) return false;
    err->code   = code;
    err->offset = offset;
    va_list args;
    va_start(args, format);
    vsnprintf(err->text, sizeof err->text, format, args);
    va_end(args);
    return false;
}

bool err_set_errno(Err *err, ErrCode code, const char *format, ...)
{
    if (!err) return false;
    int reason  = errno;
    err->code   = code;
    err->offset = 0;
    va_list args;
    va_start(args, format);
    int used = vsnprintf(err->text, sizeof err->text, format, args);
    va_end(args);
    if (used < 0 || (size_t)used >= sizeof err->text) return false;
    char why[96];
    if (strerror_r(reason, why, sizeof why) != 0) snprintf(why, sizeof why, "error %d", reason);
    snprintf(err->text + used, sizeof err->text - (size_t)used, ": %s", why);
    return false;
}
