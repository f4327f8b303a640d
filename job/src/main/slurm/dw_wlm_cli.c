// SPDX-License-Identifier: Apache-2.0

/*
 * dw_wlm_cli, dwstat and dwcli: one program that does what the name says by which it is called. It
 * hands its arguments to the agent of this machine and prints the answer. Batch systems call it many
 * times a minute and wait for it, so it does nothing else.
 *
 * The bytes on the socket are described in AgentFrames.java.
 */

#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#define MAGIC 0x46424131u /* "FBA1" */
#define REQUEST_BYTES_MAX (2u << 20)
#define ANSWER_BYTES_MAX (64u << 20)
#define SOCKET_DEFAULT "/run/forebay/agent.sock"

/* For a function that must not hold up a batch system, and for one that ends when its work does. */
#define QUICK_SECONDS 5
#define LONG_SECONDS 86400
#define RETRY_MILLIS 20

static const char *program;
static const char *socket_path;
static int64_t deadline_millis;

static int64_t now_millis(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Slurm shows what dw_wlm_cli prints in the middle of lines, so no line ends there. */
static const char *line_end(void) {
  return strcmp(program, "dw_wlm_cli") == 0 && !isatty(STDERR_FILENO) ? "" : "\n";
}

/* Ends the program with a sentence: what is wrong with the agent, and what to do about it. */
static void fail(const char *what) {
  fprintf(stderr,
          "%s: the agent at %s %s; start 'forebay agent' on this machine, or name its socket in "
          "FOREBAY_AGENT_SOCKET%s",
          program, socket_path, what, line_end());
  exit(1);
}

static void fail_with_errno(const char *what) {
  char text[256];
  snprintf(text, sizeof text, "%s (%s)", what, strerror(errno));
  fail(text);
}

/* Whether the caller expects to wait: all functions but these are asked for within seconds. */
static int is_long(int argc, char **argv) {
  static const char *const functions[] = {"setup",    "data_in",  "data_out",         "pre_run",
                                          "post_run", "teardown", "create_persistent"};
  for (int i = 1; i + 1 < argc; i++) {
    if (strcmp(argv[i], "--function") != 0 && strcmp(argv[i], "-f") != 0) continue;
    for (size_t f = 0; f < sizeof functions / sizeof *functions; f++) {
      if (strcmp(argv[i + 1], functions[f]) == 0) return 1;
    }
  }
  return 0;
}

/* Waits until the socket can be read or written. */
static void wait_for(int fd, short events) {
  for (;;) {
    int64_t left = deadline_millis - now_millis();
    if (left <= 0) fail("does not answer");
    struct pollfd polled = {.fd = fd, .events = events};
    int ready = poll(&polled, 1, (int)left);
    if (ready > 0) return;
    if (ready < 0 && errno != EINTR) fail_with_errno("cannot be waited for");
  }
}

static int connect_to_agent(void) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (strlen(socket_path) >= sizeof address.sun_path) fail("has too long a path for a socket");
  strcpy(address.sun_path, socket_path);
  int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (fd < 0) fail_with_errno("cannot be reached");
  while (connect(fd, (struct sockaddr *)&address, sizeof address) != 0) {
    /* EAGAIN: others wait to be accepted, as many as the socket allows. */
    if (errno != EAGAIN && errno != EINTR) fail_with_errno("cannot be reached");
    if (now_millis() >= deadline_millis) fail("does not answer");
    poll(NULL, 0, RETRY_MILLIS);
  }
  return fd;
}

static char *put_number(char *at, uint32_t number) {
  uint32_t big_endian = htonl(number);
  memcpy(at, &big_endian, sizeof big_endian);
  return at + sizeof big_endian;
}

static char *put_text(char *at, const char *text) {
  size_t bytes = strlen(text);
  at = put_number(at, (uint32_t)bytes);
  memcpy(at, text, bytes);
  return at + bytes;
}

static void send_all(int fd, const char *bytes, size_t count) {
  while (count > 0) {
    ssize_t sent = send(fd, bytes, count, MSG_NOSIGNAL);
    if (sent > 0) {
      bytes += sent;
      count -= (size_t)sent;
    } else if (errno == EAGAIN) {
      wait_for(fd, POLLOUT);
    } else if (errno == EPIPE || errno == ECONNRESET) {
      return; /* The agent may have refused; its answer tells. */
    } else if (errno != EINTR) {
      fail_with_errno("takes no request");
    }
  }
}

static void send_request(int fd, int argc, char **argv) {
  char directory[4096];
  if (getcwd(directory, sizeof directory) == NULL) strcpy(directory, "/");
  size_t bytes = 5 * sizeof(uint32_t) + strlen(program) + strlen(directory);
  for (int i = 1; i < argc; i++) bytes += sizeof(uint32_t) + strlen(argv[i]);
  if (bytes > REQUEST_BYTES_MAX) fail("takes no arguments as long as these");
  char *request = malloc(2 * sizeof(uint32_t) + bytes);
  if (request == NULL) fail("cannot be asked: there is no memory");
  char *at = put_number(request, MAGIC);
  at = put_number(at, (uint32_t)bytes);
  at = put_number(at, geteuid());
  at = put_number(at, getegid());
  at = put_number(at, (uint32_t)(2 + argc - 1));
  at = put_text(at, program);
  at = put_text(at, directory);
  for (int i = 1; i < argc; i++) at = put_text(at, argv[i]);
  send_all(fd, request, (size_t)(at - request));
  free(request);
}

static void receive_all(int fd, void *to, size_t count) {
  char *at = to;
  while (count > 0) {
    ssize_t got = recv(fd, at, count, 0);
    if (got > 0) {
      at += got;
      count -= (size_t)got;
    } else if (got == 0) {
      fail("has closed the connection");
    } else if (errno == EAGAIN) {
      wait_for(fd, POLLIN);
    } else if (errno != EINTR) {
      fail_with_errno("gives no answer");
    }
  }
}

static int print_answer(int fd) {
  uint32_t header[3];
  receive_all(fd, header, sizeof header);
  uint32_t bytes = ntohl(header[1]);
  if (ntohl(header[0]) != MAGIC || bytes < sizeof(uint32_t) || bytes > ANSWER_BYTES_MAX) {
    fail("is of another version");
  }
  int code = (int)ntohl(header[2]);
  bytes -= sizeof(uint32_t);
  char *text = malloc(bytes + 1);
  if (text == NULL) fail("has an answer that does not fit into memory");
  receive_all(fd, text, bytes);
  if (code != 0 && bytes > 0 && text[bytes - 1] == '\n' && *line_end() == '\0') bytes--;
  FILE *out = code == 0 ? stdout : stderr;
  if (fwrite(text, 1, bytes, out) != bytes || fflush(out) != 0) code = 1;
  free(text);
  return code;
}

int main(int argc, char **argv) {
  const char *slash = argc > 0 ? strrchr(argv[0], '/') : NULL;
  program = slash != NULL ? slash + 1 : argc > 0 ? argv[0] : "dw_wlm_cli";
  socket_path = getenv("FOREBAY_AGENT_SOCKET");
  if (socket_path == NULL || *socket_path == '\0') socket_path = SOCKET_DEFAULT;
  deadline_millis = now_millis() + (is_long(argc, argv) ? LONG_SECONDS : QUICK_SECONDS) * 1000LL;
  int fd = connect_to_agent();
  send_request(fd, argc, argv);
  int code = print_answer(fd);
  close(fd);
  return code;
}
