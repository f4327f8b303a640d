// SPDX-License-Identifier: Apache-2.0

/*
 * Every call resolves the paths as the calling program sees them, and hands the rest to the agent
 * of this machine: see LibraryCommand.java, which documents the arguments and answers.
 */

#define _GNU_SOURCE
#include "datawarp.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "request.h"

#define PUBLIC __attribute__((visibility("default")))

/* What one request takes of a list; a longer list becomes several requests. */
#define LIST_PATHS_MAX 4096
#define LIST_BYTES_MAX (1u << 20)

#define STRIPE_UNIT_BYTES 4096

struct dw_failed_stage {
  char *text; /* records "NUMBER PATH", each with a zero byte behind it */
  size_t bytes;
  size_t at;
};

/* Whether a source is of the right kind, as far as this machine sees it. */
static int check_source(const char *path, int directory) {
  struct stat found;
  if (path == NULL || stat(path, &found) != 0) return 0;
  if (directory) return S_ISDIR(found.st_mode) ? 0 : -ENOTDIR;
  return S_ISDIR(found.st_mode) ? -EISDIR : 0;
}

/* What the program has written to a file that it has open is staged too. */
static int publish(const char *path) {
  if (path == NULL) return 0;
  int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
  if (fd < 0) return 0; /* The agent tells what is wrong with it. */
  struct stat found;
  int result = 0;
  if (fstat(fd, &found) == 0 && S_ISREG(found.st_mode) && fsync(fd) != 0 && errno != EINVAL) {
    result = -errno;
  }
  close(fd);
  return result;
}

static const char *type_word(enum dw_stage_type type) {
  switch (type) {
    case DW_STAGE_IMMEDIATE:
      return "immediate";
    case DW_STAGE_AT_JOB_END:
      return "deferred";
    case DW_REVOKE_STAGE_AT_JOB_END:
      return "revoke";
    case DW_ACTIVATE_DEFERRED_STAGE:
      return "activate";
  }
  return NULL;
}

/* Whether the type begins or records a stage, and so needs the other path. */
static int needs_target(enum dw_stage_type type) {
  return type == DW_STAGE_IMMEDIATE || type == DW_STAGE_AT_JOB_END;
}

static int stage_in(const char *kind, const char *buffer, const char *outside) {
  struct dw_request request = {0};
  int result = check_source(outside, strcmp(kind, "directory") == 0);
  if (result == 0) result = dw_request_add(&request, "in");
  if (result == 0) result = dw_request_add(&request, kind);
  if (result == 0) result = dw_request_add_buffer_path(&request, buffer);
  if (result == 0) result = dw_request_add_outside_path(&request, outside);
  if (result == 0) result = dw_tell(&request);
  dw_request_free(&request);
  return result;
}

PUBLIC int dw_stage_file_in(const char *dw_file_path, const char *pfs_file_path) {
  return stage_in("file", dw_file_path, pfs_file_path);
}

PUBLIC int dw_stage_directory_in(const char *dw_directory_path, const char *pfs_directory_path) {
  return stage_in("directory", dw_directory_path, pfs_directory_path);
}

static int stage_out(const char *kind, const char *buffer, const char *outside,
                     enum dw_stage_type type) {
  const char *word = type_word(type);
  if (word == NULL) return -EINVAL;
  struct dw_request request = {0};
  int result = 0;
  if (type != DW_REVOKE_STAGE_AT_JOB_END) result = publish(buffer);
  if (result == 0) result = dw_request_add(&request, "out");
  if (result == 0) result = dw_request_add(&request, kind);
  if (result == 0) result = dw_request_add(&request, word);
  if (result == 0) result = dw_request_add_buffer_path(&request, buffer);
  if (result == 0 && needs_target(type)) result = dw_request_add_outside_path(&request, outside);
  if (result == 0) result = dw_tell(&request);
  dw_request_free(&request);
  return result;
}

PUBLIC int dw_stage_file_out(const char *dw_file_path, const char *pfs_file_path,
                             enum dw_stage_type stage_type) {
  return stage_out("file", dw_file_path, pfs_file_path, stage_type);
}

PUBLIC int dw_stage_directory_out(const char *dw_directory_path, const char *pfs_directory_path,
                                  enum dw_stage_type stage_type) {
  return stage_out("directory", dw_directory_path, pfs_directory_path, stage_type);
}

/* Adds paths of a list until one request is full; moves the list on. */
static int add_some(struct dw_request *request, const char ***list,
                    int (*add)(struct dw_request *, const char *)) {
  int result = 0;
  for (size_t n = 0; result == 0 && **list != NULL && n < LIST_PATHS_MAX; n++) {
    if (n > 0 && request->bytes > LIST_BYTES_MAX) break;
    result = add(request, *(*list)++);
  }
  return result;
}

PUBLIC int dw_stage_list_in(const char *dw_directory_path, const char **pfs_list) {
  if (pfs_list == NULL || *pfs_list == NULL) return -EINVAL;
  for (const char **each = pfs_list; *each != NULL; each++) {
    int result = check_source(*each, 0);
    if (result != 0) return result;
  }
  int result = 0;
  while (result == 0 && *pfs_list != NULL) {
    struct dw_request request = {0};
    result = dw_request_add(&request, "in");
    if (result == 0) result = dw_request_add(&request, "list");
    if (result == 0) result = dw_request_add_buffer_path(&request, dw_directory_path);
    if (result == 0) result = add_some(&request, &pfs_list, dw_request_add_outside_path);
    if (result == 0) result = dw_tell(&request);
    dw_request_free(&request);
  }
  return result;
}

PUBLIC int dw_stage_list_out(const char **dw_list, const char *pfs_directory_path,
                             enum dw_stage_type stage_type) {
  const char *word = type_word(stage_type);
  if (word == NULL || dw_list == NULL || *dw_list == NULL) return -EINVAL;
  int result = 0;
  if (stage_type != DW_REVOKE_STAGE_AT_JOB_END) {
    for (const char **each = dw_list; result == 0 && *each != NULL; each++) result = publish(*each);
  }
  while (result == 0 && *dw_list != NULL) {
    struct dw_request request = {0};
    result = dw_request_add(&request, "out");
    if (result == 0) result = dw_request_add(&request, "list");
    if (result == 0) result = dw_request_add(&request, word);
    if (result == 0 && needs_target(stage_type)) {
      result = dw_request_add_outside_path(&request, pfs_directory_path);
    }
    if (result == 0) result = add_some(&request, &dw_list, dw_request_add_buffer_path);
    if (result == 0) result = dw_tell(&request);
    dw_request_free(&request);
  }
  return result;
}

/* A request about what has been staged, of one path. */
static int begin_about(struct dw_request *request, const char *what, const char *kind,
                       const char *path) {
  int result = dw_request_add(request, what);
  if (result == 0) result = dw_request_add(request, kind);
  if (result == 0) result = dw_request_add_buffer_path(request, path);
  return result;
}

/* The same of the next part of a list. */
static int begin_about_list(struct dw_request *request, const char *what, const char ***list) {
  int result = dw_request_add(request, what);
  if (result == 0) result = dw_request_add(request, "list");
  if (result == 0) result = add_some(request, list, dw_request_add_buffer_path);
  return result;
}

struct counts {
  int complete;
  int pending;
  int deferred;
  int failed;
};

/* Asks for counts and adds them. */
static int add_counts(const struct dw_request *request, struct counts *sum) {
  struct forebay_agent_answer answer;
  int result = dw_ask(request, &answer);
  if (result != 0) return dw_for_program(result);
  struct counts got;
  int read =
      sscanf(answer.text, "%d %d %d %d", &got.complete, &got.pending, &got.deferred, &got.failed);
  free(answer.text);
  if (read != 4) return -EPROTO;
  sum->complete += got.complete;
  sum->pending += got.pending;
  sum->deferred += got.deferred;
  sum->failed += got.failed;
  return 0;
}

static void give_counts(const struct counts *sum, int *complete, int *pending, int *deferred,
                        int *failed) {
  if (complete != NULL) *complete = sum->complete;
  if (pending != NULL) *pending = sum->pending;
  if (deferred != NULL) *deferred = sum->deferred;
  if (failed != NULL) *failed = sum->failed;
}

static int query(const char *kind, const char *path, struct counts *sum) {
  struct dw_request request = {0};
  int result = begin_about(&request, "query", kind, path);
  if (result == 0) result = add_counts(&request, sum);
  dw_request_free(&request);
  return result;
}

PUBLIC int dw_query_file_stage(const char *dw_file_path, int *complete, int *pending, int *deferred,
                               int *failed) {
  struct counts sum = {0};
  int result = query("file", dw_file_path, &sum);
  if (result == 0) give_counts(&sum, complete, pending, deferred, failed);
  return result;
}

PUBLIC int dw_query_directory_stage(const char *dw_directory_path, int *complete, int *pending,
                                    int *deferred, int *failed) {
  struct counts sum = {0};
  int result = query("directory", dw_directory_path, &sum);
  if (result == 0) give_counts(&sum, complete, pending, deferred, failed);
  return result;
}

PUBLIC int dw_query_list_stage(const char **dw_list, int *complete, int *pending, int *deferred,
                               int *failed) {
  if (dw_list == NULL || *dw_list == NULL) return -EINVAL;
  struct counts sum = {0};
  int result = 0;
  while (result == 0 && *dw_list != NULL) {
    struct dw_request request = {0};
    result = begin_about_list(&request, "query", &dw_list);
    if (result == 0) result = add_counts(&request, &sum);
    dw_request_free(&request);
  }
  if (result == 0) give_counts(&sum, complete, pending, deferred, failed);
  return result;
}

static int act(const char *what, const char *kind, const char *path,
               int (*send)(const struct dw_request *)) {
  struct dw_request request = {0};
  int result = begin_about(&request, what, kind, path);
  if (result == 0) result = send(&request);
  dw_request_free(&request);
  return result;
}

/* Does it for the whole list, and gives the first error. */
static int act_on_list(const char *what, const char **list,
                       int (*send)(const struct dw_request *)) {
  if (list == NULL || *list == NULL) return -EINVAL;
  int first = 0;
  while (*list != NULL) {
    struct dw_request request = {0};
    int result = begin_about_list(&request, what, &list);
    if (result == 0) result = send(&request);
    dw_request_free(&request);
    if (first == 0) first = result;
  }
  return first;
}

PUBLIC int dw_wait_file_stage(const char *dw_file_path) {
  return act("wait", "file", dw_file_path, dw_tell_until_over);
}

PUBLIC int dw_wait_directory_stage(const char *dw_directory_path) {
  return act("wait", "directory", dw_directory_path, dw_tell_until_over);
}

PUBLIC int dw_wait_list_stage(const char **dw_list) {
  return act_on_list("wait", dw_list, dw_tell_until_over);
}

PUBLIC int dw_terminate_file_stage(const char *dw_file_path) {
  return act("terminate", "file", dw_file_path, dw_tell);
}

PUBLIC int dw_terminate_directory_stage(const char *dw_directory_path) {
  return act("terminate", "directory", dw_directory_path, dw_tell);
}

PUBLIC int dw_terminate_list_stage(const char **dw_list) {
  return act_on_list("terminate", dw_list, dw_tell);
}

PUBLIC int dw_open_failed_stage(const char *dw_instance_path, dw_failed_stage_t **handle) {
  if (handle == NULL) return -EINVAL;
  *handle = NULL;
  struct dw_request request = {0};
  struct forebay_agent_answer answer;
  int result = begin_about(&request, "failures", "directory", dw_instance_path);
  if (result == 0) result = dw_for_program(dw_ask(&request, &answer));
  dw_request_free(&request);
  if (result != 0) return result;
  dw_failed_stage_t *opened = malloc(sizeof *opened);
  if (opened == NULL) {
    free(answer.text);
    return -ENOMEM;
  }
  opened->text = answer.text;
  opened->bytes = answer.bytes;
  opened->at = 0;
  *handle = opened;
  return 0;
}

PUBLIC int dw_read_failed_stage(dw_failed_stage_t *handle, char *path, int path_size,
                                int *ret_errno) {
  if (handle == NULL || path == NULL || path_size <= 0) return -EINVAL;
  if (handle->at >= handle->bytes) return 0;
  const char *record = handle->text + handle->at;
  char *blank;
  long number = strtol(record, &blank, 10);
  if (*blank != ' ') return -EPROTO;
  const char *name = blank + 1;
  size_t length = strlen(name);
  if (length >= (size_t)path_size) return -ERANGE;
  memcpy(path, name, length + 1);
  if (ret_errno != NULL) *ret_errno = -(int)number;
  handle->at = (size_t)(name - handle->text) + length + 1;
  return (int)length;
}

PUBLIC int dw_close_failed_stage(dw_failed_stage_t *handle) {
  if (handle == NULL) return -EINVAL;
  free(handle->text);
  free(handle);
  return 0;
}

PUBLIC int dw_set_stage_concurrency(const char *dw_instance_path, unsigned int concurrent_stages) {
  if (concurrent_stages == 0) return -EINVAL;
  struct dw_request request = {0};
  int result = begin_about(&request, "concurrency", "directory", dw_instance_path);
  long number = concurrent_stages < INT_MAX ? (long)concurrent_stages : INT_MAX;
  if (result == 0) result = dw_request_add_number(&request, number);
  if (result == 0) result = dw_tell(&request);
  dw_request_free(&request);
  return result;
}

/* Begins a request about an open file by its path; a file that was unlinked has none. */
static int begin_about_open(struct dw_request *request, const char *what, int fd) {
  char link[sizeof "/proc/self/fd/" + NUMBER_BYTES];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  if (fcntl(fd, F_GETFD) < 0) return -errno;
  char path[PATH_MAX];
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return -errno;
  path[length] = '\0';
  if (path[0] != '/') return -EINVAL; /* a pipe or a socket */
  return begin_about(request, what, "file", path);
}

PUBLIC int dw_set_stripe_configuration(int fd, int stripe_size, int stripe_width) {
  if (stripe_size <= 0 || stripe_size % STRIPE_UNIT_BYTES != 0 || stripe_width <= 0) return -EINVAL;
  struct dw_request request = {0};
  int result = begin_about_open(&request, "set_stripes", fd);
  if (result == 0) result = dw_request_add_number(&request, stripe_size);
  if (result == 0) result = dw_request_add_number(&request, stripe_width);
  if (result == 0) result = dw_tell(&request);
  dw_request_free(&request);
  return result;
}

PUBLIC int dw_get_stripe_configuration(int fd, int *stripe_size, int *stripe_width,
                                       int *starting_index) {
  struct dw_request request = {0};
  struct forebay_agent_answer answer;
  int result = begin_about_open(&request, "get_stripes", fd);
  if (result == 0) result = dw_for_program(dw_ask(&request, &answer));
  dw_request_free(&request);
  if (result != 0) return result;
  int size, width, start;
  int read = sscanf(answer.text, "%d %d %d", &size, &width, &start);
  free(answer.text);
  if (read != 3) return -EPROTO;
  if (stripe_size != NULL) *stripe_size = size;
  if (stripe_width != NULL) *stripe_width = width;
  if (starting_index != NULL) *starting_index = start;
  return 0;
}

PUBLIC char *dw_get_mds_path(const char *dw_root, uint64_t key) {
  (void)key; /* All servers of an instance serve all of its directories under one path. */
  return dw_root == NULL ? NULL : strdup(dw_root);
}

PUBLIC char *dw_get_accounting_data_json(const char *path, int *ecode) {
  struct dw_request request = {0};
  struct forebay_agent_answer answer;
  int result = begin_about(&request, "accounting", "directory", path);
  if (result == 0) result = dw_for_program(dw_ask(&request, &answer));
  dw_request_free(&request);
  if (ecode != NULL) *ecode = result;
  return result == 0 ? answer.text : NULL;
}
