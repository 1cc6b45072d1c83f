/* cpu.c - see cpu.h. Asks about what the compiler was allowed to use; main calls it before anything else. */
#include "app/cpu.h"

#include <stddef.h>

const char *cpu_missing_feature(void)
{
#if defined(__x86_64__)
    __builtin_cpu_init();
#ifdef __POPCNT__
    if (!__builtin_cpu_supports("popcnt")) return "POPCNT";
#endif
#ifdef __AVX2__
    if (!__builtin_cpu_supports("avx2")) return "AVX2";
#endif
#ifdef __BMI2__
    if (!__builtin_cpu_supports("bmi2")) return "BMI2";
#endif
#ifdef __AVX512F__
    if (!__builtin_cpu_supports("avx512f")) return "AVX-512";
#endif
#endif
    return NULL;
}
