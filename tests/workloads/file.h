/* A file that makes its reader or writer wait for the disk. */
#pragma once

#include <stdint.h>

typedef enum
{
  WL_DIRECT, /* reads 4 MiB past the page cache, here and there */
  WL_COLD,   /* reads 1 MiB of a file that has left the page cache, one after the other */
  WL_FSYNC,  /* appends 64 KiB and brings them to the disk */
  WL_FILE_KINDS
} WlFileKind;

typedef struct
{
  WlFileKind kind;
  int fd;
  void *buffer;
  uint32_t seed;
  int64_t next;
} WlFile;

WlFile wl_file_new (const char *folder, WlFileKind kind); /* 128 MiB, or empty for FSYNC; gone from its folder already */
WlFileKind wl_file_kind (const char *name);               /* direct, cold, fsync; ends the program otherwise */
void wl_file_use (WlFile *file);                          /* once; counted as waiting for the disk */
