/* Kernel probes, for what older kernels have no tracepoints for. Each is created under a group of our own, which has this process'
 * number in its name, and has a format like any tracepoint. They are removed when the process ends, however it does that. */
#pragma once

extern char wpc_probe_group[32]; /* its folder in tracefs' events; "" until wpc_probe_make() made one */

/* While we are root: opens the list of probes for writing, in case that some are needed. It is closed when that is known. */
void wpc_probes_open (void);

/* Makes the probe `name` on the first of these functions that can be probed, with the arguments `fetch`, or with the socket
 * alone where the kernel does not take those. `functions` and what may stand for arguments are divided by blanks. Returns 0 or an
 * errno: ENOENT where the kernel has no probes, or none of the functions. */
int wpc_probe_make (const char *name, const char *functions, const char *fetch);

/* Once all are made: from here on a process without privileges waits for the end of this one, to remove them. No other can be made
 * after that. Returns 0 or an errno. */
int wpc_probes_guard (void);

/* Fetches of functions whose first argument is a socket: its two ends, and (TO) the address that the second one is or begins with. The
 * places in the kernel's struct sock_common have been the same since 3.9 where it is built with network namespaces. */
#if defined(__x86_64__)
#define WPC_ARGUMENT_1 "%di"
#define WPC_ARGUMENT_2 "%si"
#elif defined(__aarch64__)
#define WPC_ARGUMENT_1 "%x0"
#define WPC_ARGUMENT_2 "%x1"
#else
#define WPC_ARGUMENT_1 "$arg1"
#define WPC_ARGUMENT_2 "$arg2"
#endif
#define WPC_FETCH_SOCKET "sk=" WPC_ARGUMENT_1 ":x64"
#define WPC_FETCH_ENDS                                                                                                 \
  WPC_FETCH_SOCKET " daddr=+0(" WPC_ARGUMENT_1 "):x32 saddr=+4(" WPC_ARGUMENT_1 "):x32 dport=+12(" WPC_ARGUMENT_1      \
                   "):x16 sport=+14(" WPC_ARGUMENT_1 "):u16 family=+16(" WPC_ARGUMENT_1 "):u16 daddr_v6=+56("          \
                   WPC_ARGUMENT_1 "):x8[16] saddr_v6=+72(" WPC_ARGUMENT_1 "):x8[16]"
#define WPC_FETCH_TO WPC_FETCH_ENDS " to=+0(" WPC_ARGUMENT_2 "):x8[28]"           /* a sockaddr */
#define WPC_FETCH_MESSAGE WPC_FETCH_ENDS " to=+0(+0(" WPC_ARGUMENT_2 ")):x8[28]" /* a msghdr: begins with the sockaddr's address */
