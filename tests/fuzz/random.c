/* Random choices that a seed repeats. */
#include "fuzz.h"

/* SplitMix64 (Steele, Lea, Flood 2014). */
guint64
fuzz_next (FuzzRandom *self)
{
  guint64 z = self->state += G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);

  z = (z ^ z >> 30) * G_GUINT64_CONSTANT (0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * G_GUINT64_CONSTANT (0x94d049bb133111eb);
  return z ^ z >> 31;
}

FuzzRandom
fuzz_random (guint64 seed)
{
  FuzzRandom self = { seed };

  fuzz_next (&self);
  return self;
}

guint
fuzz_below (FuzzRandom *self, guint n)
{
  return n > 0 ? (guint) (fuzz_next (self) >> 16) % n : 0;
}

gboolean
fuzz_one_in (FuzzRandom *self, guint n)
{
  return fuzz_below (self, n) == 0;
}

FuzzRandom
fuzz_choice (const guint8 *data, gsize n)
{
  guint64 hash = n;

  for (gsize i = 0; i < n; i++)
    hash = (hash ^ data[i]) * G_GUINT64_CONSTANT (0x100000001b3);
  return fuzz_random (hash);
}

guint64
fuzz_number (FuzzRandom *self)
{
  static const guint64 limits[] = {
    0, 1, 2, 7, 8, 0x7f, 0xff, 4095, 8191, 0xffff, 0x10000, 1 << 22, G_MAXINT32, 0x80000000, G_MAXUINT32, G_GUINT64_CONSTANT (1) << 40,
    G_GUINT64_CONSTANT (1) << 53, G_GUINT64_CONSTANT (1) << 62, G_MAXINT64, G_GUINT64_CONSTANT (1) << 63, G_MAXUINT64 - 7, G_MAXUINT64 - 1,
    G_MAXUINT64, 0xffff800000000000, 0xffffffff81000000, 0xfffffffffffffe00, 0xffffffffffffff80, 0xfffffffffffff001,
  };

  if (fuzz_below (self, 10) < 7)
    return limits[fuzz_below (self, G_N_ELEMENTS (limits))];
  return fuzz_next (self) >> (8 * fuzz_below (self, 8));
}

const char *
fuzz_word (FuzzRandom *self)
{
  static const char *const words[] = {
    "", " ", "a", ".", "..", "/", "../../x", "-", "--", "%n%s", "<b>&\"'", "\x1b[2J", "\xc2\x9b" "31m", "\xff\xfe", "=1+1", "\\", "\"",
    "swapper/0", "[kernel.kallsyms]", "[vdso]", "//anon", "/dev/zero", "/proc/self/mem", "nan", "inf", "-inf", "1e308", "1e400", "-0",
    "0x7fffffffffffffff", "9223372036854775807", "-9223372036854775808", "18446744073709551616", "null", "true", "[]", "{}", "_ZN1aC1Ev",
    "_Z1fIXadL_Z1gvEEEvv", "_RNvC1a1b", "wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww",
    "\xd8\xa7\xd9\x84", "\xf0\x9f\x94\xa5", "uid", "amount", "trace", "::", ":", ",", ";", "\n", "&x", "*x", "!!int", "|", ">", "? ", "%YAML 9",
  };

  return words[fuzz_below (self, G_N_ELEMENTS (words))];
}
