// SPDX-License-Identifier: Apache-2.0

/*
 * libdatawarp of Forebay: programs stage files between a mounted buffer and the file systems of its
 * servers. Names and meanings are those that programs for DataWarp expect; docs/libdatawarp.md lists
 * all errors and differences.
 *
 * A function of type int returns 0, or a negative error number such as -EINVAL. Stages are carried
 * out by the servers after the call has returned, also when the program has ended. Any thread may
 * call any function; only one thread at a time may use a dw_failed_stage_t.
 */

#ifndef DATAWARP_H
#define DATAWARP_H

#include <stdint.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* When something is staged out. */
enum dw_stage_type {
  DW_STAGE_IMMEDIATE,         /* now */
  DW_STAGE_AT_JOB_END,        /* deferred: when the instance ends, in whatever way the job does */
  DW_REVOKE_STAGE_AT_JOB_END, /* gives a deferred stage up; the other path is ignored */
  DW_ACTIVATE_DEFERRED_STAGE  /* begins a deferred stage now; the other path is ignored */
};

/* Walks through stages that have failed. */
typedef struct dw_failed_stage dw_failed_stage_t;

/*
 * Stage in: copies a file, or a directory with everything in it, into the buffer. A file that
 * exists there is replaced. dw_stage_list_in copies files into a directory of the buffer, each
 * under its own name. Lists end with NULL.
 *
 * -EBUSY: a stage of that path is active; -EINVAL: the path is not in a buffer.
 */
int dw_stage_file_in(const char *dw_file_path, const char *pfs_file_path);
int dw_stage_directory_in(const char *dw_directory_path, const char *pfs_directory_path);
int dw_stage_list_in(const char *dw_directory_path, const char **pfs_list);

/* Stage out: the same the other way. */
int dw_stage_file_out(const char *dw_file_path, const char *pfs_file_path,
                      enum dw_stage_type stage_type);
int dw_stage_directory_out(const char *dw_directory_path, const char *pfs_directory_path,
                           enum dw_stage_type stage_type);
int dw_stage_list_out(const char **dw_list, const char *pfs_directory_path,
                      enum dw_stage_type stage_type);

/*
 * How many files are staged, not yet staged, deferred, and failed: of one file, of everything at
 * and below a directory, of the files of a list. -EINVAL: nothing there was staged; -ENOENT: nor
 * does it exist.
 */
int dw_query_file_stage(const char *dw_file_path, int *complete, int *pending, int *deferred,
                        int *failed);
int dw_query_directory_stage(const char *dw_directory_path, int *complete, int *pending,
                             int *deferred, int *failed);
int dw_query_list_stage(const char **dw_list, int *complete, int *pending, int *deferred,
                        int *failed);

/*
 * Waits until no stage is active there, also while the agent of this machine is restarted. Returns
 * 0 if everything is staged, or why the first failure happened. -EINVAL: nothing there was staged,
 * or all of it is deferred.
 */
int dw_wait_file_stage(const char *dw_file_path);
int dw_wait_directory_stage(const char *dw_directory_path);
int dw_wait_list_stage(const char **dw_list);

/*
 * Ends stages that are active or deferred, and forgets failed ones. Files that have been copied
 * stay. -EINVAL: there are none.
 */
int dw_terminate_file_stage(const char *dw_file_path);
int dw_terminate_directory_stage(const char *dw_directory_path);
int dw_terminate_list_stage(const char **dw_list);

/*
 * The failed stages at and below a directory of the buffer. dw_read_failed_stage writes the next
 * path and why it failed (a negative error number), and returns the length of the path; 0 at the
 * end. -ERANGE: path_size is too small; the next call gives the same path. A failure stays until the
 * file is removed, staged again, or its stage terminated.
 */
int dw_open_failed_stage(const char *dw_instance_path, dw_failed_stage_t **handle);
int dw_read_failed_stage(dw_failed_stage_t *handle, char *path, int path_size, int *ret_errno);
int dw_close_failed_stage(dw_failed_stage_t *handle);

/* How many copies each server makes at a time, for stages that are started later. */
int dw_set_stage_concurrency(const char *dw_instance_path, unsigned int concurrent_stages);

/*
 * The stripes of an open file or directory. They belong to the instance: setting what is there
 * already succeeds, anything else gives -EOPNOTSUPP. -EINVAL: the size is no multiple of 4096, or
 * the file is not in a buffer.
 */
int dw_set_stripe_configuration(int fd, int stripe_size, int stripe_width);
int dw_get_stripe_configuration(int fd, int *stripe_size, int *stripe_width, int *starting_index);

/* The path to use for files with that key: a copy of dw_root. The caller frees it. */
char *dw_get_mds_path(const char *dw_root, uint64_t key);

/*
 * What was written, read and staged of the instance, as JSON, which the caller frees; or NULL, and
 * a negative error number in ecode.
 */
char *dw_get_accounting_data_json(const char *path, int *ecode);

#ifdef __cplusplus
}
#endif

#endif
