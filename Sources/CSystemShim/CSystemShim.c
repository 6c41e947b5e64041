#define _GNU_SOURCE
#include "CSystemShim.h"

#include <errno.h>
#include <fcntl.h>
#if defined(__GLIBC__)
#include <malloc.h>
#elif defined(__APPLE__)
#include <malloc/malloc.h>
#endif
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#if defined(__linux__)
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/xattr.h>
#endif
#include <time.h>
#include <unistd.h>
#if defined(__aarch64__) && defined(__linux__)
#include <asm/hwcap.h>
#include <sys/auxv.h>
#endif

#if defined(__linux__)
int shim_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

int shim_epoll_create(void) { return epoll_create1(EPOLL_CLOEXEC); }

int shim_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }

int shim_accept(int listener) { return accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK); }

int shim_peer_credentials(int socket, uint32_t *user, int32_t *process) {
    struct ucred credentials;
    socklen_t length = sizeof credentials;
    if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &credentials, &length) != 0) return -1;
    *user = credentials.uid;
    *process = credentials.pid;
    return 0;
}

#else
#include <sys/un.h>

int shim_pipe(int ends[2]) {
    if (pipe(ends) != 0) return -1;
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    return 0;
}

int shim_accept(int listener) {
    int connection = accept(listener, NULL, NULL);
    if (connection < 0) return -1;
    int on = 1;
    setsockopt(connection, SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on);
    fcntl(connection, F_SETFD, FD_CLOEXEC);
    fcntl(connection, F_SETFL, O_NONBLOCK);
    return connection;
}

int shim_peer_credentials(int socket, uint32_t *user, int32_t *process) {
    uid_t uid;
    gid_t gid;
    if (getpeereid(socket, &uid, &gid) != 0) return -1;
    pid_t pid = 0;
    socklen_t length = sizeof pid;
    if (getsockopt(socket, SOL_LOCAL, LOCAL_PEERPID, &pid, &length) != 0) return -1;
    *user = uid;
    *process = pid;
    return 0;
}
#endif

int shim_open_pseudo_terminal(char *path, size_t capacity) {
    int controller = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (controller < 0) return -1;
    if (grantpt(controller) == 0 && unlockpt(controller) == 0) {
        // Depending on the platform, ptsname_r reports a failure by its result or by errno.
        int failure = ptsname_r(controller, path, capacity);
        if (failure == 0) return controller;
        if (failure > 0) errno = failure;
    }
    int failure = errno;
    close(controller);
    errno = failure;
    return -1;
}

int shim_spawn_attributes(posix_spawnattr_t *attributes, int new_session) {
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    short flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK;
    if (new_session) flags |= POSIX_SPAWN_SETSID;
#if defined(__APPLE__)
    flags |= POSIX_SPAWN_CLOEXEC_DEFAULT;
#endif
    int failure = posix_spawnattr_setsigmask(attributes, &none);
    if (failure == 0) failure = posix_spawnattr_setsigdefault(attributes, &all);
    if (failure == 0) failure = posix_spawnattr_setflags(attributes, flags);
    return failure;
}

int shim_spawn_actions(posix_spawn_file_actions_t *actions, const char *directory) {
    int failure = 0;
    if (directory != NULL) failure = posix_spawn_file_actions_addchdir_np(actions, directory);
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 34)
    if (failure == 0) failure = posix_spawn_file_actions_addclosefrom_np(actions, 3);
#endif
    return failure;
}

// Written once before the handler for that signal is installed, read by the handler.
static _Atomic int descriptors[NSIG];

static void note_signal(int signal) {
    int saved = errno;
    unsigned char byte = 1;
    // A full pipe is fine: its reader is woken by the earlier bytes.
    ssize_t ignored;
    do {
        ignored = write(atomic_load(&descriptors[signal]), &byte, 1);
    } while (ignored < 0 && errno == EINTR);
    (void)ignored;
    errno = saved;
}

static int set_action(int signal, void (*handler)(int)) {
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    return sigaction(signal, &action, NULL);
}

int shim_catch_signal(int signal, int descriptor) {
    if (signal <= 0 || signal >= NSIG) {
        errno = EINVAL;
        return -1;
    }
    atomic_store(&descriptors[signal], descriptor);
    return set_action(signal, note_signal);
}

int shim_ignore_signal(int signal) { return set_action(signal, SIG_IGN); }

int shim_default_signal(int signal) { return set_action(signal, SIG_DFL); }

void shim_limit_time_slice(uint64_t nanoseconds) {
#if defined(__linux__)
    // The first version of the kernel's `struct sched_attr`, which older C libraries do not declare.
    struct {
        uint32_t size, policy;
        uint64_t flags;
        int32_t nice;
        uint32_t priority;
        uint64_t runtime, deadline, period;
    } attributes = {0};
    if (syscall(SYS_sched_getattr, 0, &attributes, sizeof attributes, 0) != 0) return;
    attributes.runtime = nanoseconds;
    syscall(SYS_sched_setattr, 0, &attributes, 0);
#endif
}

#if defined(__linux__)
#if !defined(sigev_notify_thread_id)
#define sigev_notify_thread_id _sigev_un._tid
#endif

static void yield_processor(int signal) {
    (void)signal;
    int failure = errno;
    sched_yield();
    errno = failure;
}

intptr_t shim_begin_yielding(uint64_t nanoseconds) {
    struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGURG};
    event.sigev_notify_thread_id = (pid_t)syscall(SYS_gettid);
    sigset_t urgent;
    sigemptyset(&urgent);
    sigaddset(&urgent, SIGURG);
    timer_t timer;
    if (set_action(SIGURG, yield_processor) != 0 || pthread_sigmask(SIG_UNBLOCK, &urgent, NULL) != 0
        || timer_create(CLOCK_MONOTONIC, &event, &timer) != 0)
        return -1;
    struct timespec period = {.tv_nsec = (long)nanoseconds};
    struct itimerspec times = {.it_interval = period, .it_value = period};
    timer_settime(timer, 0, &times, NULL);
    return (intptr_t)timer;
}

void shim_end_yielding(intptr_t timer) {
    if (timer != -1) timer_delete((timer_t)timer);
}
#else
intptr_t shim_begin_yielding(uint64_t nanoseconds) { return (void)nanoseconds, -1; }
void shim_end_yielding(intptr_t timer) { (void)timer; }
#endif

void shim_limit_free_memory(void) {
#if defined(__GLIBC__)
    // By default both limits grow with the largest freed block, up to 64 MiB for each arena.
    mallopt(M_MMAP_THRESHOLD, 128 << 10);
    mallopt(M_TRIM_THRESHOLD, 512 << 10);
#endif
}

void shim_return_memory(void) {
#if defined(__GLIBC__)
    malloc_trim(0);
#elif defined(__APPLE__)
    malloc_zone_pressure_relief(NULL, 0);
#endif
}

// The signals that end a process by default and are not caught otherwise.
static const int crash_signals[] = {
    SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGSYS, SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM,
    SIGPROF, SIGXCPU, SIGXFSZ,
#if defined(__linux__)
    SIGPOLL, SIGPWR, SIGSTKFLT,
#endif
};
static struct {
    int terminal;
    struct termios settings;
    char farewell[256];
    size_t count;
} guarded;
static atomic_int is_guarding;

// Async-signal-safe: an exchange, a write, a tcsetattr and a raise. The handler is reset when it is entered
// (SA_RESETHAND), so that the signal, raised again, ends the process as it would have without us.
static void restore_terminal(int signal) {
    if (atomic_exchange(&is_guarding, 0)) {
        ssize_t written = write(guarded.terminal, guarded.farewell, guarded.count);
        (void)written;
        tcsetattr(guarded.terminal, TCSANOW, &guarded.settings);
    }
    raise(signal);
}

void shim_guard_terminal(int terminal, const struct termios *settings, const void *farewell, size_t count) {
    atomic_store(&is_guarding, 0);
    guarded.terminal = terminal;
    guarded.settings = *settings;
    guarded.count = count < sizeof guarded.farewell ? count : sizeof guarded.farewell;
    if (guarded.count > 0) memcpy(guarded.farewell, farewell, guarded.count);
    struct sigaction action = {.sa_handler = restore_terminal, .sa_flags = SA_RESETHAND | SA_NODEFER};
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof crash_signals / sizeof crash_signals[0]; i++)
        sigaction(crash_signals[i], &action, NULL);
    atomic_store(&is_guarding, 1);
}

void shim_release_terminal(void) { atomic_store(&is_guarding, 0); }

// CRC-32C by the processor's own instruction, eight bytes at a time: SSE 4.2 (`crc32`, Intel SDM vol. 2A) and the CRC
// extension of Armv8 (`crc32cx`, Arm ARM C6.2).

#if defined(__x86_64__)
#define STEPS_OF_PROCESSOR __attribute__((target("sse4.2")))
#define STEP_8(remainder, word) (uint32_t) __builtin_ia32_crc32di(remainder, word)
#define STEP_1(remainder, byte) __builtin_ia32_crc32qi(remainder, byte)

int shim_has_crc32c(void) {
    __builtin_cpu_init();
    return __builtin_cpu_supports("sse4.2") != 0;
}

#elif defined(__aarch64__)
#define STEPS_OF_PROCESSOR __attribute__((target("crc")))
#define STEP_8(remainder, word) __builtin_arm_crc32cd(remainder, word)
#define STEP_1(remainder, byte) __builtin_arm_crc32cb(remainder, byte)

int shim_has_crc32c(void) {
#if defined(__linux__)
    return (getauxval(AT_HWCAP) & HWCAP_CRC32) != 0;
#else
    return 1; // every processor that macOS runs on
#endif
}

#else
int shim_has_crc32c(void) { return 0; }

uint32_t shim_crc32c(uint32_t remainder, const void *bytes, size_t count) {
    __builtin_trap(); // nobody asks a processor that has none
}
#endif

#if defined(STEPS_OF_PROCESSOR)
STEPS_OF_PROCESSOR uint32_t shim_crc32c(uint32_t remainder, const void *bytes, size_t count) {
    const unsigned char *next = bytes;
    for (; count >= 8; count -= 8, next += 8) {
        uint64_t word;
        memcpy(&word, next, sizeof word);
        remainder = STEP_8(remainder, word);
    }
    for (; count > 0; count--, next++) remainder = STEP_1(remainder, *next);
    return remainder;
}
#endif

int shim_fstat(int descriptor, struct stat *status) {
#if defined(__linux__) && defined(STATX_SIZE)
    struct statx found;
    const unsigned wanted = STATX_TYPE | STATX_MODE | STATX_NLINK | STATX_UID | STATX_GID | STATX_INO | STATX_SIZE;
    if (statx(descriptor, "", AT_EMPTY_PATH, wanted, &found) == 0 && (found.stx_mask & wanted) == wanted) {
        memset(status, 0, sizeof *status);
        status->st_mode = found.stx_mode;
        status->st_nlink = found.stx_nlink;
        status->st_uid = found.stx_uid;
        status->st_gid = found.stx_gid;
        status->st_dev = makedev(found.stx_dev_major, found.stx_dev_minor);
        status->st_ino = found.stx_ino;
        status->st_size = (off_t)found.stx_size;
        return 0;
    }
#endif
    return fstat(descriptor, status);
}

int shim_has_access_list(const char *path) {
#if defined(__linux__)
    if (lgetxattr(path, "system.posix_acl_access", NULL, 0) >= 0) return 1;
    return errno != ENODATA && errno != ENOTSUP;
#else
    (void)path;
    return 0;
#endif
}
