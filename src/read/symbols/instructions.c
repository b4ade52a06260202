#include "read/symbols/instructions.h"

#include "config.h"

#include <gio/gio.h>
#include <glib/gi18n.h>
#include <string.h>

#ifdef HAVE_CAPSTONE
#include <capstone.h>
#endif

#define CODE_MAX (1024 * 1024) /* bytes of a function: one whose size is not known reaches to the next */
#define ROWS_PER_STEP 4096

gboolean
wp_can_disassemble (void)
{
#ifdef HAVE_CAPSTONE
  return TRUE;
#else
  return FALSE;
#endif
}

#ifdef HAVE_CAPSTONE

/* --- the bytes ------------------------------------------------------------------------------------------------------ */

/* The code from `start` on, up to `end` at most. */
static guint8 *
read_code (const WpElfFile *file, guint64 start, guint64 end, gsize *n)
{
  for (guint i = 0; i < file->n_segments; i++)
    {
      guint64 into = start - file->segments[i].address;
      Elf_Data *data;

      if (start < file->segments[i].address || into >= file->segments[i].size)
        continue;
      *n = MIN (MIN (end - start, file->segments[i].size - into), CODE_MAX);
      data = elf_getdata_rawchunk (file->elf, (gint64) (file->segments[i].offset + into), *n, ELF_T_BYTE);
      return data != NULL && data->d_buf != NULL && data->d_size >= *n ? g_memdup2 (data->d_buf, *n) : NULL;
    }
  return NULL;
}

/* --- one instruction ------------------------------------------------------------------------------------------------ */

typedef struct
{
  guint machine; /* of the ELF file */
  cs_arch arch;
  cs_mode mode;
  cs_opt_value syntax;
} Machine;

static const Machine machines[] = {
  { EM_X86_64, CS_ARCH_X86, CS_MODE_64, CS_OPT_SYNTAX_ATT },
  { EM_386, CS_ARCH_X86, CS_MODE_32, CS_OPT_SYNTAX_ATT },
  { EM_AARCH64, CS_ARCH_ARM64, CS_MODE_LITTLE_ENDIAN, CS_OPT_SYNTAX_DEFAULT },
};

typedef struct
{
  WpInstructions *result;
  const WpFunctions *functions;
  WpDemangler *demangler;
  guint64 end;
  WpCodeFile *file;
  Dwarf_Die unit;
  gboolean has_unit;
  const char *source;      /* as libdw has the last one … */
  const char *source_name; /* … and as it is shown */
} Reader;

static char *
readable (WpDemangler *demangler, const char *symbol)
{
  char *name = demangler != NULL ? wp_demangle (demangler, symbol) : NULL;

  return name != NULL ? name : g_utf8_make_valid (symbol, -1);
}

/* " <memcpy+0x10>" behind an operand that is an address in another function. */
static void
append_target (const Reader *self, const char *operand, GString *text)
{
  guint64 address, start, end;
  gint64 row;
  char *rest;

  if (operand[0] == '#')
    operand++;
  if (!g_str_has_prefix (operand, "0x"))
    return;
  address = g_ascii_strtoull (operand, &rest, 16);
  if (*rest != '\0' || (address >= self->result->start && address < self->end))
    return;
  row = wp_functions_find (self->functions, address);
  if (row >= 0)
    {
      g_autofree char *name = readable (self->demangler, wp_functions_name (self->functions, (guint32) row));

      wp_functions_range (self->functions, (guint32) row, &start, &end);
      g_string_append_printf (text, " <%s", name);
      if (address > start)
        g_string_append_printf (text, "+0x%" G_GINT64_MODIFIER "x", address - start);
      g_string_append_c (text, '>');
    }
}

static void
find_line (Reader *self, WpInstruction *row)
{
  Dwarf_Line *line = self->has_unit ? dwarf_getsrc_die (&self->unit, row->address) : NULL;
  const char *source = line != NULL ? dwarf_linesrc (line, NULL, NULL) : NULL;
  int number = 0;

  if (source == NULL || dwarf_lineno (line, &number) != 0)
    return;
  if (source != self->source)
    {
      g_autofree char *name = wp_code_file_source (&self->unit, source);

      self->source = source;
      self->source_name = g_string_chunk_insert_const (self->result->texts, name);
    }
  row->file = self->source_name;
  row->line = (guint32) MAX (number, 0);
}

static void
add_row (Reader *self, const cs_insn *instruction)
{
  g_autoptr (GString) text = g_string_new (instruction->mnemonic);
  WpInstruction row = { .address = instruction->address, .size = (guint8) instruction->size };

  if (instruction->op_str[0] != '\0')
    g_string_append_printf (text, "%*s%s", MAX (7 - (int) text->len, 1), "", instruction->op_str);
  append_target (self, instruction->op_str, text);
  row.text = g_string_chunk_insert_const (self->result->texts, text->str);
  find_line (self, &row);
  wp_array_push (&self->result->rows, row);
}

/* --- all of them ---------------------------------------------------------------------------------------------------- */

static gboolean
add_rows (Reader *self, csh handle, gsize n, WpProgress *progress, GError **error)
{
  const uint8_t *code = self->result->code;
  uint64_t address = self->result->start;
  cs_insn *instruction = cs_malloc (handle);
  gsize all = n;
  gboolean going_on = TRUE;

  while (going_on && cs_disasm_iter (handle, &code, &n, &address, instruction))
    {
      add_row (self, instruction);
      going_on = self->result->rows.len % ROWS_PER_STEP != 0 || wp_progress_step (progress, 1 - (double) n / all, error);
    }
  cs_free (instruction, 1);
  return going_on;
}

static const Machine *
machine_of (const WpElfFile *file)
{
  GElf_Ehdr header;

  for (guint i = 0; gelf_getehdr (file->elf, &header) != NULL && i < G_N_ELEMENTS (machines); i++)
    if (machines[i].machine == header.e_machine)
      return &machines[i];
  return NULL;
}

static gboolean
disassemble (Reader *self, gsize n, WpProgress *progress, GError **error)
{
  const Machine *machine = machine_of (self->file->main);
  gboolean done;
  csh handle;

  if (machine == NULL || cs_open (machine->arch, machine->mode, &handle) != CS_ERR_OK)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED, "%s",
                   _("it is for a processor whose instructions are not known here; those of x86 and aarch64 are"));
      return FALSE;
    }
  cs_option (handle, CS_OPT_SYNTAX, machine->syntax);
  cs_option (handle, CS_OPT_SKIPDATA, CS_OPT_ON); /* bytes that are no instruction are shown as such */
  self->has_unit = self->file->dwarf != NULL && wp_code_file_unit (self->file, self->result->start, &self->unit);
  done = add_rows (self, handle, n, progress, error);
  cs_close (&handle);
  return done;
}

WpInstructions *
wp_instructions_read (WpCodeFile *file, const WpFunctions *functions, guint64 address, WpDemangler *demangler, WpProgress *progress,
                      GError **error)
{
  g_autoptr (WpInstructions) result = g_new0 (WpInstructions, 1);
  Reader self = { .result = result, .functions = functions, .demangler = demangler, .file = file };
  gint64 row = file->main != NULL ? wp_functions_find (functions, address) : -1;
  gsize n = 0;

  result->texts = g_string_chunk_new (4096);
  if (row >= 0)
    {
      result->function = readable (demangler, wp_functions_name (functions, (guint32) row));
      wp_functions_range (functions, (guint32) row, &result->start, &self.end);
      result->code = read_code (file->main, result->start, self.end, &n);
    }
  if (result->code != NULL)
    return disassemble (&self, n, progress, error) ? g_steal_pointer (&result) : NULL;
  if (file->main == NULL)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "%s", _("the file with the code is not there, or is another build"));
  else
    {
      g_autofree char *place = g_strdup_printf ("0x%" G_GINT64_MODIFIER "x", address);

      /* Translators: an address */
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, _("it has no symbol at %s: where the function begins is not known"), place);
    }
  return NULL;
}

#else

WpInstructions *
wp_instructions_read (WpCodeFile *file, const WpFunctions *functions, guint64 address, WpDemangler *demangler, WpProgress *progress,
                      GError **error)
{
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED, "%s", _("this Wakepath was built without capstone, which reads instructions"));
  return NULL;
}

#endif

void
wp_instructions_free (WpInstructions *self)
{
  g_free (self->function);
  g_free (self->code);
  wp_array_clear (&self->rows);
  if (self->texts != NULL)
    g_string_chunk_free (self->texts);
  g_free (self);
}
