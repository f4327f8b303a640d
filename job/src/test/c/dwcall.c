// SPDX-License-Identifier: Apache-2.0

/* Makes one call of libdatawarp, and prints what it returns. A test asserts it. */

#include <datawarp.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int is(const char *word, const char *name) { return strcmp(word, name) == 0; }

static enum dw_stage_type type_of(const char *word) {
  if (is(word, "immediate")) return DW_STAGE_IMMEDIATE;
  if (is(word, "at_job_end")) return DW_STAGE_AT_JOB_END;
  if (is(word, "revoke")) return DW_REVOKE_STAGE_AT_JOB_END;
  if (is(word, "activate")) return DW_ACTIVATE_DEFERRED_STAGE;
  return (enum dw_stage_type)99;
}

/* "-" stands for NULL. */
static const char *path_of(const char *word) { return is(word, "-") ? NULL : word; }

static int print(int result) {
  printf("%d\n", result);
  return 0;
}

static int print_counts(int result, const int *counts) {
  if (result != 0) return print(result);
  printf("0: %d %d %d %d\n", counts[0], counts[1], counts[2], counts[3]);
  return 0;
}

static int failures(const char *directory, int path_size) {
  dw_failed_stage_t *handle = NULL;
  int result = dw_open_failed_stage(directory, &handle);
  if (result != 0) return print(result);
  char path[4096];
  int why = 0;
  while ((result = dw_read_failed_stage(handle, path, path_size, &why)) > 0) {
    printf("%d %s %d\n", why, path, result == (int)strlen(path));
  }
  print(result);
  return print(dw_close_failed_stage(handle));
}

static int stripes(const char *path, int argc, char **argv) {
  int fd = is(path, "bad") ? 1000 : is(path, "stdin") ? 0 : open(path, O_RDONLY);
  if (argc == 2) return print(dw_set_stripe_configuration(fd, atoi(argv[0]), atoi(argv[1])));
  int size, width, start;
  int result = dw_get_stripe_configuration(fd, &size, &width, &start);
  if (result != 0) return print(result);
  printf("0: %d %d %d\n", size, width, start);
  return 0;
}

static int accounting(const char *path) {
  int why = 1;
  char *json = dw_get_accounting_data_json(path, &why);
  printf("%d %s\n", why, json == NULL ? "(null)" : json);
  free(json);
  return 0;
}

static int mds(const char *root) {
  char *path = dw_get_mds_path(root, 17);
  printf("%s\n", path);
  free(path);
  return 0;
}

/* A file that is open while it is staged, as checkpoints are. */
static int write_and_stage(const char *path, const char *outside) {
  int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (fd < 0 || write(fd, "open", 4) != 4) return 1;
  int result = dw_stage_file_out(path, outside, DW_STAGE_IMMEDIATE);
  if (result == 0) result = dw_wait_file_stage(path);
  close(fd);
  return print(result);
}

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  const char *call = argv[1];
  const char *one = path_of(argv[2]);
  const char **list = (const char **)argv + 2; /* argv ends with NULL */
  int counts[4];
  if (is(call, "file_in")) return print(dw_stage_file_in(one, path_of(argv[3])));
  if (is(call, "directory_in")) return print(dw_stage_directory_in(one, path_of(argv[3])));
  if (is(call, "list_in")) return print(dw_stage_list_in(one, list + 1));
  if (is(call, "file_out")) {
    return print(dw_stage_file_out(one, path_of(argv[3]), type_of(argv[4])));
  }
  if (is(call, "directory_out")) {
    return print(dw_stage_directory_out(one, path_of(argv[3]), type_of(argv[4])));
  }
  if (is(call, "list_out")) {
    return print(dw_stage_list_out(list + 2, path_of(argv[3]), type_of(argv[2])));
  }
  if (is(call, "query_file")) {
    return print_counts(dw_query_file_stage(one, counts, counts + 1, counts + 2, counts + 3),
                        counts);
  }
  if (is(call, "query_directory")) {
    return print_counts(dw_query_directory_stage(one, counts, counts + 1, counts + 2, counts + 3),
                        counts);
  }
  if (is(call, "query_list")) {
    return print_counts(dw_query_list_stage(list, counts, counts + 1, counts + 2, counts + 3),
                        counts);
  }
  if (is(call, "wait_file")) return print(dw_wait_file_stage(one));
  if (is(call, "wait_directory")) return print(dw_wait_directory_stage(one));
  if (is(call, "wait_list")) return print(dw_wait_list_stage(list));
  if (is(call, "terminate_file")) return print(dw_terminate_file_stage(one));
  if (is(call, "terminate_directory")) return print(dw_terminate_directory_stage(one));
  if (is(call, "terminate_list")) return print(dw_terminate_list_stage(list));
  if (is(call, "failures")) return failures(one, argc > 3 ? atoi(argv[3]) : 4096);
  if (is(call, "concurrency")) {
    return print(dw_set_stage_concurrency(one, (unsigned int)atoi(argv[3])));
  }
  if (is(call, "stripes")) return stripes(argv[2], argc - 3, argv + 3);
  if (is(call, "accounting")) return accounting(one);
  if (is(call, "mds")) return mds(one);
  if (is(call, "write_and_stage")) return write_and_stage(one, argv[3]);
  return 2;
}
