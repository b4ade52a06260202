/* Functions to be unwound: built without frame pointers, so that only the tables say where their callers are. */
#include "unwind-victim.h"

/* Frames of many sizes; what comes after the call keeps it from being a jump. */
__attribute__ ((noinline)) int
victim_recurse (int depth, void (*leaf) (void))
{
  volatile int pad[16] = { 0 };

  if (depth == 0)
    leaf ();
  else
    pad[depth % 16] = victim_recurse (depth - 1, leaf);
  return pad[0] + 1;
}

#ifdef __x86_64__
/* Without any table: only its frame pointer leads on. */
__asm__ (".text\n.globl victim_bare\n.type victim_bare, @function\n"
         "victim_bare:\n push %rbp\n mov %rsp, %rbp\n call *%rdi\n pop %rbp\n ret\n"
         ".size victim_bare, .-victim_bare\n");

/* Its frame address is kept in memory, where an expression finds it; another one, with a jump in it, says where rbx is. */
__asm__ (".text\n.globl victim_expression\n.type victim_expression, @function\n"
         "victim_expression:\n .cfi_startproc\n"
         " lea 8(%rsp), %rax\n sub $40, %rsp\n mov %rax, 16(%rsp)\n mov %rbx, 8(%rsp)\n"
         " .cfi_escape 0x0f, 3, 0x77, 16, 0x06\n"                                 /* breg7 16, deref */
         " .cfi_escape 0x10, 3, 9, 0x08, 40, 0x1c, 0x31, 0x28, 1, 0, 0x13, 0x96\n" /* CFA - 40; 1, bra over a drop */
         " xor %ebx, %ebx\n call *%rdi\n mov 8(%rsp), %rbx\n add $40, %rsp\n"
         " .cfi_def_cfa %rsp, 8\n .cfi_restore %rbx\n ret\n .cfi_endproc\n"
         ".size victim_expression, .-victim_expression\n");
#endif
