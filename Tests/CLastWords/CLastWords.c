#define _GNU_SOURCE
#include "CLastWords.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const int crash_signals[] = {SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV};
enum { signal_count = sizeof crash_signals / sizeof crash_signals[0], maximum = 400 };

// Of what a thread is at. Only that thread writes it, and the handler runs on the thread that trapped.
static _Thread_local char words[maximum];
static _Thread_local size_t word_count;
static _Thread_local volatile long number;
// A trap may be an exhausted stack.
static _Thread_local char spare_stack[32768];
static _Thread_local int has_spare_stack;

static struct sigaction earlier[signal_count];
static atomic_int is_prepared;

// Async-signal-safe: two writes and a sigaction. The instruction runs again and traps again, and
// the previous handler gets that signal.
static void say_last_words(int signal) {
    if (word_count > 0) {
        char digits[24];
        size_t first = sizeof digits;
        digits[--first] = '\n';
        long rest = number < 0 ? 0 : number;
        do {
            digits[--first] = (char)('0' + rest % 10);
            rest /= 10;
        } while (rest > 0);
        ssize_t ignored = write(STDERR_FILENO, words, word_count);
        ignored = write(STDERR_FILENO, digits + first, sizeof digits - first);
        (void)ignored;
        word_count = 0;
    }
    for (size_t i = 0; i < signal_count; i++)
        if (crash_signals[i] == signal) sigaction(signal, &earlier[i], NULL);
}

static void prepare(void) {
    if (atomic_exchange(&is_prepared, 1)) return;
    struct sigaction action = {.sa_handler = say_last_words, .sa_flags = SA_ONSTACK | SA_NODEFER};
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < signal_count; i++) sigaction(crash_signals[i], &action, &earlier[i]);
}

void last_words_set(const void *bytes, size_t count) {
    word_count = 0;
    if (!has_spare_stack) {
        // Where the thread has one already, that one is as good.
        stack_t present;
        if (sigaltstack(NULL, &present) == 0 && (present.ss_flags & SS_DISABLE)) {
            stack_t spare = {.ss_sp = spare_stack, .ss_size = sizeof spare_stack};
            sigaltstack(&spare, NULL);
        }
        has_spare_stack = 1;
    }
    if (count > maximum) count = maximum;
    memcpy(words, bytes, count);
    number = 0;
    word_count = count;
    prepare();
}

void last_words_set_number(long value) { number = value; }
