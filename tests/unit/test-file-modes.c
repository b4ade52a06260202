/* Who may read what is written: recordings nobody else, profiles whom the umask allows, which is never touched. */
#include "base/save-file.h"
#include "record/output.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static char *folder;
static guint changes; /* of the umask */

/* In place of the C library's. */
mode_t
umask (mode_t mask)
{
  changes++;
  return (mode_t) syscall (SYS_umask, mask);
}

static mode_t
mode_of (const char *path)
{
  struct stat st;

  g_assert_no_errno (stat (path, &st));
  return st.st_mode & 07777;
}

static char *
place (const char *name)
{
  return g_build_filename (folder, name, NULL);
}

static void
test_recording (void)
{
  static const mode_t masks[] = { 0, 0022, 0277, 0777 };

  for (guint i = 0; i < G_N_ELEMENTS (masks); i++)
    {
      g_autofree char *path = place ("recording");
      const mode_t before = umask (masks[i]);
      GError *error = NULL;
      WpOutput output;
      struct stat st;

      g_assert_true (wp_output_open (&output, path, &error));
      g_assert_no_errno (fstat (output.fd, &st));
      g_assert_cmpint (st.st_mode & 07777 & ~0600, ==, 0);
      g_assert_true (wp_output_keep (&output, path, &error));
      umask (before);
      g_assert_cmpint (mode_of (path), ==, 0600);
      wp_output_drop (&output);
      g_assert_no_errno (g_unlink (path));
    }
}

static void
save (const char *path)
{
  GError *error = NULL;

  g_assert_true (wp_save_text (path, "{}", 2, &error));
  g_assert_no_error (error);
}

static void
test_profile (void)
{
  static const mode_t masks[] = { 0, 0022, 0027, 0077 };
  g_autofree char *path = place ("profile");

  for (guint i = 0; i < G_N_ELEMENTS (masks); i++)
    {
      const mode_t before = umask (masks[i]);

      save (path);
      umask (before);
      g_assert_cmpint (mode_of (path), ==, 0666 & ~masks[i]);
      g_assert_no_errno (g_unlink (path));
    }
  save (path);
  g_assert_no_errno (g_chmod (path, 0604));
  save (path);
  g_assert_cmpint (mode_of (path), ==, 0604);
  g_assert_no_errno (g_unlink (path));
}

/* The umask is the whole program's, so a thread that changes it, be it for a moment, gives another's files the wrong mode. */
static void
test_umask (void)
{
  g_autofree char *path = place ("profile"), *recording = place ("recording");
  GError *error = NULL;
  WpOutput output;

  changes = 0;
  save (path);
  g_assert_true (wp_output_open (&output, recording, &error));
  g_assert_true (wp_output_keep (&output, recording, &error));
  wp_output_drop (&output);
  g_assert_no_errno (g_unlink (path));
  g_assert_no_errno (g_unlink (recording));
  g_assert_cmpuint (changes, ==, 0);
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  folder = g_dir_make_tmp ("wakepath-modes-XXXXXX", NULL);
  g_test_add_func ("/file-modes/recording", test_recording);
  g_test_add_func ("/file-modes/profile", test_profile);
  g_test_add_func ("/file-modes/umask", test_umask);
  status = g_test_run ();
  g_rmdir (folder);
  g_free (folder);
  return status;
}
