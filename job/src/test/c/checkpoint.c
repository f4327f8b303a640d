// SPDX-License-Identifier: Apache-2.0

/*
 * A program as users of DataWarp write it: stages input in, writes a checkpoint, stages it out, and
 * leaves the results to the end of the job. Usage: checkpoint INPUT OUTPUT-DIRECTORY
 */

#include <datawarp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void require(int result, const char *what) {
  if (result == 0) return;
  fprintf(stderr, "%s: %s\n", what, strerror(-result));
  exit(1);
}

int main(int argc, char **argv) {
  const char *buffer = getenv("DW_JOB_STRIPED");
  if (argc != 3 || buffer == NULL) return 2;
  char input[512], checkpoint[512], target[512];
  snprintf(input, sizeof input, "%sinput", buffer);
  snprintf(checkpoint, sizeof checkpoint, "%scheckpoint", buffer);

  require(dw_set_stage_concurrency(buffer, 4), "concurrency");
  require(dw_stage_file_in(input, argv[1]), "stage in");
  require(dw_wait_file_stage(input), "wait");

  FILE *in = fopen(input, "r");
  FILE *out = fopen(checkpoint, "w");
  if (in == NULL || out == NULL) return 1;
  int next;
  while ((next = fgetc(in)) != EOF) fputc(next + 1, out);
  fclose(in);
  fclose(out);

  snprintf(target, sizeof target, "%s/checkpoint", argv[2]);
  require(dw_stage_file_out(checkpoint, target, DW_STAGE_IMMEDIATE), "stage out");
  int complete = 0, pending, deferred, failed;
  do {
    require(dw_query_file_stage(checkpoint, &complete, &pending, &deferred, &failed), "query");
    if (failed > 0) return 1;
  } while (!complete);

  snprintf(target, sizeof target, "%s/results", argv[2]);
  require(dw_stage_file_out(checkpoint, target, DW_STAGE_AT_JOB_END), "defer");
  printf("done\n");
  return 0;
}
