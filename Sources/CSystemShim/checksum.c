#include "CSystemShim.h"

#include <string.h>

#if defined(__aarch64__) && defined(__linux__)
#include <asm/hwcap.h>
#include <sys/auxv.h>
#endif

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
