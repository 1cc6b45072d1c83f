/* train.h - the trainers of `tabia train`, one file each. */
#ifndef APP_TRAIN_H
#define APP_TRAIN_H

int train_mlp(int argc, char **argv);  /* argv[0] is "mlp" */
int train_nnue(int argc, char **argv); /* argv[0] is "nnue" */
int train_wdl(int argc, char **argv);  /* argv[0] is "wdl" */

#endif
