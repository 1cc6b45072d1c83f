/* cpu.h - whether this processor has the instructions that this build uses: a sentence instead of an illegal instruction. */
#ifndef APP_CPU_H
#define APP_CPU_H

/* The name of the first instruction set that is missing, or NULL when all are there. */
const char *cpu_missing_feature(void);

#endif
