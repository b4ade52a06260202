/* One step outwards: the caller's registers from those of a frame, its row and the copied stack bytes. */
#include "read/unwind/cfi.h"

#include <dwarf.h>

#define OPERANDS_MAX 32
#define STEPS_MAX 512 /* of one expression */

/* --- expressions -------------------------------------------------------------------------------------------------- */

typedef struct
{
  const WpCfiState *state;
  guint64 cfa;
  guint64 operands[OPERANDS_MAX];
  guint n;
  gboolean failed;
} Machine;

static void
push (Machine *self, guint64 value)
{
  if (self->n == OPERANDS_MAX)
    self->failed = TRUE;
  else
    self->operands[self->n++] = value;
}

static guint64
pop (Machine *self)
{
  if (self->n == 0)
    {
      self->failed = TRUE;
      return 0;
    }
  return self->operands[--self->n];
}

static void
push_register (Machine *self, guint64 reg, guint64 offset)
{
  if (reg >= self->state->arch->n_registers || !(self->state->known >> reg & 1))
    self->failed = TRUE;
  else
    push (self, self->state->registers[reg] + offset);
}

static void
push_memory (Machine *self, guint size)
{
  guint64 value, address = pop (self);

  if (size == 0 || size > 8 || !wp_cfi_read (self->state, address, &value))
    self->failed = TRUE;
  else
    push (self, size < 8 ? value & ((G_GUINT64_CONSTANT (1) << 8 * size) - 1) : value);
}

/* dup, over, pick */
static void
push_again (Machine *self, guint64 depth)
{
  if (depth >= self->n)
    self->failed = TRUE;
  else
    push (self, self->operands[self->n - 1 - depth]);
}

/* The topmost goes below the `n` - 1 next ones. */
static void
rotate (Machine *self, guint n)
{
  guint64 *top, value;

  if (self->n < n)
    {
      self->failed = TRUE;
      return;
    }
  top = &self->operands[self->n - 1];
  value = *top;
  for (guint i = 0; i + 1 < n; i++)
    top[-(gint) i] = top[-(gint) i - 1];
  top[1 - (gint) n] = value;
}

static gboolean
do_unary (Machine *self, guint8 atom)
{
  gint64 value;

  if (atom != DW_OP_abs && atom != DW_OP_neg && atom != DW_OP_not)
    return FALSE;
  value = (gint64) pop (self);
  push (self, atom == DW_OP_not ? ~(guint64) value : atom == DW_OP_neg || value < 0 ? -(guint64) value : (guint64) value);
  return TRUE;
}

static guint64
divide (Machine *self, gint64 a, gint64 b)
{
  if (b == 0 || (a == G_MININT64 && b == -1))
    {
      self->failed = TRUE;
      return 0;
    }
  return (guint64) (a / b);
}

static guint64
calculate (Machine *self, guint8 atom, guint64 a, guint64 b)
{
  gint64 x = (gint64) a, y = (gint64) b;

  switch (atom)
    {
    case DW_OP_and: return a & b;
    case DW_OP_div: return divide (self, x, y);
    case DW_OP_minus: return a - b;
    case DW_OP_mod: return b != 0 ? a % b : divide (self, x, 0);
    case DW_OP_mul: return a * b;
    case DW_OP_or: return a | b;
    case DW_OP_plus: return a + b;
    case DW_OP_shl: return b < 64 ? a << b : 0;
    case DW_OP_shr: return b < 64 ? a >> b : 0;
    case DW_OP_shra: return (guint64) (x >> MIN (b, 63));
    case DW_OP_xor: return a ^ b;
    case DW_OP_eq: return x == y;
    case DW_OP_ge: return x >= y;
    case DW_OP_gt: return x > y;
    case DW_OP_le: return x <= y;
    case DW_OP_lt: return x < y;
    case DW_OP_ne: return x != y;
    default: self->failed = TRUE; return 0;
    }
}

static gboolean
do_push (Machine *self, const Dwarf_Op *op)
{
  if (op->atom >= DW_OP_lit0 && op->atom <= DW_OP_lit31)
    push (self, op->atom - DW_OP_lit0);
  else if (op->atom >= DW_OP_breg0 && op->atom <= DW_OP_breg31)
    push_register (self, op->atom - DW_OP_breg0, op->number);
  else if (op->atom == DW_OP_bregx)
    push_register (self, op->number, op->number2);
  else if (op->atom >= DW_OP_const1u && op->atom <= DW_OP_consts)
    push (self, op->number);
  else if (op->atom == DW_OP_call_frame_cfa)
    push (self, self->cfa);
  else if (op->atom == DW_OP_deref || op->atom == DW_OP_deref_size)
    push_memory (self, op->atom == DW_OP_deref ? 8 : op->number);
  else
    return FALSE;
  return TRUE;
}

static gboolean
do_arrange (Machine *self, const Dwarf_Op *op)
{
  switch (op->atom)
    {
    case DW_OP_nop: break;
    case DW_OP_dup: push_again (self, 0); break;
    case DW_OP_over: push_again (self, 1); break;
    case DW_OP_pick: push_again (self, op->number); break;
    case DW_OP_drop: pop (self); break;
    case DW_OP_swap: rotate (self, 2); break;
    case DW_OP_rot: rotate (self, 3); break;
    case DW_OP_plus_uconst: push (self, pop (self) + op->number); break;
    default: return FALSE;
    }
  return TRUE;
}

/* The operation that a jump leads to; `n`: the end of the expression. */
static guint
jump (Machine *self, const Dwarf_Op *ops, guint n, guint from)
{
  Dwarf_Word target = ops[from].offset + 3 + (gint16) ops[from].number;

  if (ops[from].atom == DW_OP_bra && pop (self) == 0)
    return from + 1;
  for (guint i = 0; i < n; i++)
    if (ops[i].offset == target)
      return i;
  return n;
}

static void
run (Machine *self, const Dwarf_Op *ops, guint n)
{
  guint at = 0;

  for (guint steps = 0; at < n && !self->failed; steps++)
    {
      const Dwarf_Op *op = &ops[at];

      if (steps == STEPS_MAX)
        self->failed = TRUE;
      else if (op->atom == DW_OP_skip || op->atom == DW_OP_bra)
        at = jump (self, ops, n, at);
      else
        {
          if (!do_push (self, op) && !do_arrange (self, op) && !do_unary (self, op->atom))
            {
              guint64 b = pop (self), a = pop (self);

              push (self, calculate (self, op->atom, a, b));
            }
          at++;
        }
    }
}

/* What a rule gives: the value itself, that of another register, or where in memory it is. */
static gboolean
evaluate (const WpCfiState *state, guint64 cfa, const Dwarf_Op *ops, guint n, gboolean is_location, guint64 *value)
{
  Machine self = { .state = state, .cfa = cfa };
  guint8 last = ops[n - 1].atom;

  if (n == 1 && (last == DW_OP_regx || (last >= DW_OP_reg0 && last <= DW_OP_reg31)))
    {
      push_register (&self, last == DW_OP_regx ? ops[0].number : last - DW_OP_reg0, 0);
      is_location = FALSE;
    }
  else
    {
      run (&self, ops, last == DW_OP_stack_value ? n - 1 : n);
      is_location = is_location && last != DW_OP_stack_value;
    }
  if (is_location)
    push_memory (&self, 8);
  *value = pop (&self);
  return !self.failed;
}

/* --- steps -------------------------------------------------------------------------------------------------------- */

/* The new frame's program counter, when the frames grow as they must. */
static WpCfiStep
arrive (WpCfiState *state, guint64 cfa, guint64 pc)
{
  const WpCfiArch *arch = state->arch;

  pc &= arch->address_mask;
  if (pc == state->pc && cfa == state->registers[arch->stack_pointer])
    return WP_STEP_CUT;
  state->pc = pc;
  state->registers[arch->stack_pointer] = cfa;
  if (!arch->return_is_register)
    {
      state->registers[arch->return_column] = pc;
      state->known |= G_GUINT64_CONSTANT (1) << arch->return_column;
    }
  return pc == 0 ? WP_STEP_END : WP_STEP_DONE;
}

static WpCfiStep
step_plain (WpCfiState *state, const WpCfiRow *row)
{
  const WpCfiArch *arch = state->arch;
  guint64 cfa = state->registers[row->cfa_register] + (gint64) row->cfa_offset;

  if (!(state->known >> row->cfa_register & 1) || cfa < state->registers[arch->stack_pointer])
    return WP_STEP_CUT;
  state->cfa = cfa;
  for (guint saved = row->saved; saved != 0; saved &= saved - 1)
    {
      guint i = (guint) __builtin_ctz (saved), reg = arch->saved[i];

      if (wp_cfi_read (state, cfa + 8 * (gint64) row->at[i], &state->registers[reg]))
        state->known |= G_GUINT64_CONSTANT (1) << reg;
      else
        state->known &= ~(G_GUINT64_CONSTANT (1) << reg);
    }
  state->known &= arch->kept;
  state->exact = FALSE;
  if (!(state->known >> arch->return_column & 1))
    return WP_STEP_CUT;
  return arrive (state, cfa, state->registers[arch->return_column]);
}

static WpCfiStep
step_rules (WpCfiState *state, const WpCfi *cfi, const WpCfiRules *rules)
{
  const WpCfiArch *arch = state->arch;
  WpCfiState caller = *state;
  guint64 cfa;

  if (!evaluate (state, 0, wp_cfi_operations (cfi, &rules->cfa), rules->cfa.n, FALSE, &cfa)
      || cfa < state->registers[arch->stack_pointer])
    return WP_STEP_CUT;
  for (guint i = 0; i < arch->n_registers; i++)
    {
      const WpCfiRule *rule = &rules->registers[i];

      if (!rule->same
          && (rule->n == 0 || !evaluate (state, cfa, wp_cfi_operations (cfi, rule), rule->n, TRUE, &caller.registers[i])))
        caller.known &= ~(G_GUINT64_CONSTANT (1) << i);
      else if (!rule->same)
        caller.known |= G_GUINT64_CONSTANT (1) << i;
    }
  *state = caller;
  state->cfa = cfa;
  state->exact = rules->signal;
  if (!(state->known >> arch->return_column & 1))
    return WP_STEP_CUT;
  if (state->known >> arch->stack_pointer & 1 && rules->signal)
    cfa = state->registers[arch->stack_pointer];
  return arrive (state, cfa, state->registers[arch->return_column]);
}

WpCfiStep
wp_cfi_step (WpCfiState *state, const WpCfi *cfi, const WpCfiRow *row)
{
  switch ((WpCfiKind) row->kind)
    {
    case WP_CFI_PLAIN:
      return step_plain (state, row);
    case WP_CFI_RULES:
      return step_rules (state, cfi, wp_cfi_rules (cfi, row));
    case WP_CFI_END:
      return WP_STEP_END;
    case WP_CFI_NONE:
    default:
      return wp_cfi_step_frame_pointer (state);
    }
}

/* Both processors keep the caller's frame pointer and, above it, the return address where the frame pointer points. */
WpCfiStep
wp_cfi_step_frame_pointer (WpCfiState *state)
{
  const WpCfiArch *arch = state->arch;
  guint64 frame = state->registers[arch->frame_pointer], outer, pc;

  if (!(state->known >> arch->frame_pointer & 1) || frame % 8 != 0
      || frame < state->registers[arch->stack_pointer] || !wp_cfi_read (state, frame, &outer)
      || !wp_cfi_read (state, frame + 8, &pc))
    return WP_STEP_CUT;
  state->registers[arch->frame_pointer] = outer;
  state->known &= arch->kept;
  state->cfa = frame + 16;
  state->exact = FALSE;
  return arrive (state, frame + 16, pc);
}
