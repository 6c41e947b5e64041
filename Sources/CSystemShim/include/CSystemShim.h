#ifndef C_SYSTEM_SHIM_H
#define C_SYSTEM_SHIM_H

// System calls that Swift's Glibc module lacks, because a header is missing from it or is hidden behind
// _GNU_SOURCE, and the code that runs inside signal handlers. Unless documented otherwise, a function returns -1
// and sets errno on failure.

#include <spawn.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <termios.h>

#if defined(__linux__)
#include <sys/epoll.h>
#include <sys/eventfd.h>

/// An eventfd, non-blocking and close-on-exec.
int shim_eventfd(void);

/// An epoll instance, close-on-exec.
int shim_epoll_create(void);
#endif

/// Limits how long the calling thread runs before another one gets its turn, if the system can (Linux since 6.12).
void shim_limit_time_slice(uint64_t nanoseconds);

/// Makes the calling thread yield every so many nanoseconds, until `shim_end_yielding` is called with the result. Uses
/// SIGURG. Does nothing on other systems than Linux.
intptr_t shim_begin_yielding(uint64_t nanoseconds);
void shim_end_yielding(intptr_t timer);

/// Both ends of a pipe (reading, writing), close-on-exec.
int shim_pipe(int ends[2]);

/// Accepts a connection, non-blocking and close-on-exec.
int shim_accept(int listener);

/// The user and the process at the other end of a connected Unix-domain socket, as of its connect.
int shim_peer_credentials(int socket, uint32_t *user, int32_t *process);

/// Opens a pseudo terminal's controlling side, close-on-exec, and writes the path of its terminal side to `path`.
int shim_open_pseudo_terminal(char *path, size_t capacity);

/// Makes the child start with default signals and an empty signal mask, and in a new session if `new_session` is not 0.
/// Returns 0 or an error number.
int shim_spawn_attributes(posix_spawnattr_t *attributes, int new_session);

/// Makes the child change its directory (unless NULL) and close every descriptor from 3 on. Comes after the other
/// actions. Returns 0 or an error number.
int shim_spawn_actions(posix_spawn_file_actions_t *actions, const char *directory);

/// From now on each arrival of `signal` writes one byte to `descriptor` (non-blocking, never to be closed).
int shim_catch_signal(int signal, int descriptor);

/// Sets the action of a signal: ignored, or the default.
int shim_ignore_signal(int signal);
int shim_default_signal(int signal);

/// If this process crashes from now on, `count` bytes at `farewell` (at most 256) are written to the terminal, and it
/// gets these settings. One terminal at a time.
void shim_guard_terminal(int terminal, const struct termios *settings, const void *farewell, size_t count);
/// Ends the guard: a crash no longer writes to the terminal.
void shim_release_terminal(void);

/// Like fstat, but without the times, which are 0. On Linux 6.13 and later, a write after a query of the times takes
/// twice as long, because it changes the inode too.
int shim_fstat(int descriptor, struct stat *status);

/// 1 if the file has an access list, or if that cannot be determined; otherwise 0. With a list, the group bits of the
/// mode are the upper bound of its entries. On Darwin always 0: a list does not affect the mode there, and every home
/// directory has one.
int shim_has_access_list(const char *path);

/// 1 if the processor has an instruction for CRC-32C, otherwise 0.
int shim_has_crc32c(void);
/// Adds bytes to the remainder of a CRC-32C. Requires the processor's instruction.
uint32_t shim_crc32c(uint32_t remainder, const void *bytes, size_t count);

/// From now on the allocator returns freed blocks of 128 KiB and more to the system at once.
void shim_limit_free_memory(void);
/// Returns other freed memory to the system, as far as the allocator can.
void shim_return_memory(void);

#endif
