/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * command.c - see command.h.
 *
 * Input and output are files in the scratch directory, not pipes: nothing can
 * block, whatever a command reads and writes first.
 */
#include "trees/command.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "scenarios/mem.h"

#define OUTPUT_BYTES_MAX (64ul << 20)

static const int caught[] = { SIGINT, SIGTERM, SIGHUP };
#define NR_CAUGHT (sizeof(caught) / sizeof(caught[0]))

static struct sigaction before[NR_CAUGHT];
static volatile sig_atomic_t interrupted;
static volatile sig_atomic_t running;	/* process group of the command, 0: none */

/* ---- signals ---- */

static void on_signal(int signal)
{
	(void)signal;
	interrupted = 1;
	if (running)
		kill(-running, SIGKILL);
}

void command_catch_signals(void)
{
	struct sigaction action = { .sa_handler = on_signal };

	interrupted = 0;
	for (size_t i = 0; i < NR_CAUGHT; i++)
		sigaction(caught[i], &action, &before[i]);
}

void command_forget_signals(void)
{
	for (size_t i = 0; i < NR_CAUGHT; i++)
		sigaction(caught[i], &before[i], NULL);
}

bool command_interrupted(void)
{
	return interrupted;
}

static sigset_t block_signals(void)
{
	sigset_t set, old;

	sigemptyset(&set);
	for (size_t i = 0; i < NR_CAUGHT; i++)
		sigaddset(&set, caught[i]);
	sigprocmask(SIG_BLOCK, &set, &old);
	return old;
}

/* ---- the child ---- */

struct child {
	char **argv;
	const char *scratch;
	int in, out, report;
	sigset_t mask;
};

static void __attribute__((noreturn)) become(const struct child *child)
{
	int error;

	/* A group of its own: a compiler has children too, and all of them must be reached. */
	setpgid(0, 0);
	for (size_t i = 0; i < NR_CAUGHT; i++)
		signal(caught[i], SIG_DFL);
	signal(SIGXFSZ, SIG_DFL);
	sigprocmask(SIG_SETMASK, &child->mask, NULL);
	setenv("LC_ALL", "C", 1);
	setenv("TMPDIR", child->scratch, 1);
	if (dup2(child->in, 0) >= 0 && dup2(child->out, 1) >= 0 && dup2(child->out, 2) >= 0 && chdir("/") == 0)
		execvp(child->argv[0], child->argv);
	error = errno;
	if (write(child->report, &error, sizeof(error)) < 0)
		_exit(126);
	_exit(127);
}

static int wait_for(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -1;
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/* The errno of a child that could not become the command, or 0 once it has. */
static int start_error(int fd)
{
	int error = 0;
	ssize_t n;

	do
		n = read(fd, &error, sizeof(error));
	while (n < 0 && errno == EINTR);
	return n == sizeof(error) ? error : 0;
}

/* Signals are blocked until the child's number is known, so that none misses it. */
static pid_t start(struct child *child)
{
	pid_t pid = -1;
	int error;

	child->mask = block_signals();
	errno = EINTR;
	if (!interrupted)
		pid = fork();
	if (pid == 0)
		become(child);
	error = errno;
	if (pid > 0) {
		setpgid(pid, pid);
		running = pid;
	}
	close(child->report);
	sigprocmask(SIG_SETMASK, &child->mask, NULL);
	errno = error;
	return pid;
}

static int start_and_wait(struct child *child, int report_fd)
{
	pid_t pid = start(child);
	int error, status;

	if (pid < 0)
		return -1;
	error = start_error(report_fd);
	status = wait_for(pid);
	running = 0;
	errno = interrupted ? EINTR : error;
	return errno ? -1 : status;
}

static int run_between(struct child *child)
{
	int report[2], status, error;

	if (pipe2(report, O_CLOEXEC))
		return -1;
	child->report = report[1];
	status = start_and_wait(child, report[0]);
	error = errno;
	close(report[0]);
	errno = error;
	return status;
}

/* ---- its input and output ---- */

static char **argv_of(const struct names *words)
{
	char **argv = scn_zalloc(words->nr + 1, sizeof(*argv));

	memcpy(argv, words->at, words->nr * sizeof(*argv));
	return argv;
}

static int open_input(const char *path, const struct text *input)
{
	if (!input)
		return open("/dev/null", O_RDONLY | O_CLOEXEC);
	if (file_write(path, input->at, input->nr))
		return -1;
	return open(path, O_RDONLY | O_CLOEXEC);
}

static void close_both(const struct child *child)
{
	if (child->in >= 0)
		close(child->in);
	if (child->out >= 0)
		close(child->out);
}

int command_run(const struct names *words, const char *scratch, const struct text *input, struct text *output)
{
	char *in = scn_printf("%s/command.in", scratch), *out = scn_printf("%s/command.out", scratch);
	struct child child = { .argv = argv_of(words), .scratch = scratch };
	int status = -1, error;

	*output = (struct text){ 0 };
	child.in = open_input(in, input);
	child.out = child.in < 0 ? -1 : open(out, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0600);
	if (child.out >= 0)
		status = run_between(&child);
	error = errno;
	close_both(&child);
	if (status >= 0 && file_read(out, OUTPUT_BYTES_MAX, output)) {
		error = errno;
		status = -1;
	}
	unlink(in);
	unlink(out);
	free(child.argv);
	free(in);
	free(out);
	errno = error;
	return status;
}
