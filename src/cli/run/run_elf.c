/* What ELF files say to the dynamic linker: System V Application Binary Interface, chapter 5. A file may be of anybody:
   each place that it names is read by its offset, and what is not there is not read. */
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <unistd.h>

#include "cli/run/run.h"

enum { MAX_HEADERS = 256, MAX_ENTRIES = 4096, MAX_NAME = 4096 };

struct elf {
  int file;
  int header_count, entry_count;
  ElfW(Phdr) headers[MAX_HEADERS];
  ElfW(Dyn) entries[MAX_ENTRIES];
};

static bool read_at(const struct elf *elf, uint64_t offset, void *to, size_t length)
{
  return offset <= INT64_MAX && pread(elf->file, to, length, (off_t)offset) == (ssize_t)length;
}

/* The header, which is that of files of this very machine. */
static bool read_headers(struct elf *elf)
{
  ElfW(Ehdr) own, head;
  int self = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  bool known = self >= 0 && pread(self, &own, sizeof own, 0) == sizeof own;
  if (self >= 0)
    close(self);
  if (!known || !read_at(elf, 0, &head, sizeof head) || memcmp(head.e_ident, own.e_ident, EI_VERSION + 1) != 0 ||
      head.e_machine != own.e_machine || head.e_phentsize != sizeof *elf->headers || head.e_phnum > MAX_HEADERS)
    return false;
  elf->header_count = head.e_phnum;
  return read_at(elf, head.e_phoff, elf->headers, head.e_phnum * sizeof *elf->headers);
}

static bool read_entries(struct elf *elf)
{
  for (int i = 0; i < elf->header_count; i++) {
    const ElfW(Phdr) *header = &elf->headers[i];
    if (header->p_type != PT_DYNAMIC)
      continue;
    uint64_t count = header->p_filesz / sizeof *elf->entries;
    elf->entry_count = count < MAX_ENTRIES ? (int)count : MAX_ENTRIES;
    return read_at(elf, header->p_offset, elf->entries, (size_t)elf->entry_count * sizeof *elf->entries);
  }
  return false; /* it is linked statically */
}

/* Where in the file the address is; 0: nowhere. */
static uint64_t offset_of(const struct elf *elf, uint64_t address)
{
  for (int i = 0; i < elf->header_count; i++) {
    const ElfW(Phdr) *header = &elf->headers[i];
    if (header->p_type == PT_LOAD && address >= header->p_vaddr && address - header->p_vaddr < header->p_filesz)
      return header->p_offset + (address - header->p_vaddr);
  }
  return 0;
}

static uint64_t value_of(const struct elf *elf, int64_t tag)
{
  for (int i = 0; i < elf->entry_count && elf->entries[i].d_tag != DT_NULL; i++)
    if (elf->entries[i].d_tag == tag)
      return elf->entries[i].d_un.d_val;
  return 0;
}

/* The text at an offset of the strings; owned, NULL: there is none of a sensible length. */
static char *string_at(const struct elf *elf, uint64_t strings, uint64_t offset)
{
  char *text = tutti_xcalloc(1, MAX_NAME + 1);
  ssize_t length = strings + offset <= INT64_MAX ? pread(elf->file, text, MAX_NAME, (off_t)(strings + offset)) : -1;
  if (length > 0 && *text && memchr(text, '\0', (size_t)length))
    return text;
  free(text);
  return NULL;
}

static void read_names(const struct elf *elf, struct run_needs *needs)
{
  const uint64_t strings = offset_of(elf, value_of(elf, DT_STRTAB));
  const uint64_t folders = value_of(elf, DT_RUNPATH) ? value_of(elf, DT_RUNPATH) : value_of(elf, DT_RPATH);
  for (int i = 0; strings && i < elf->entry_count && elf->entries[i].d_tag != DT_NULL; i++) {
    char *name = elf->entries[i].d_tag == DT_NEEDED ? string_at(elf, strings, elf->entries[i].d_un.d_val) : NULL;
    if (name)
      tutti_xpush(needs, name);
  }
  needs->folders = strings && folders ? string_at(elf, strings, folders) : NULL;
}

bool run_needs_read(const char *path, struct run_needs *needs)
{
  struct elf *elf = tutti_xcalloc(1, sizeof *elf);
  *needs = (struct run_needs){.folders = NULL};
  elf->file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  bool read = elf->file >= 0 && read_headers(elf);
  if (read && read_entries(elf))
    read_names(elf, needs);
  if (elf->file >= 0)
    close(elf->file);
  free(elf);
  return read;
}

void run_needs_free(struct run_needs *needs)
{
  for (size_t i = 0; i < needs->count; i++)
    free(needs->items[i]);
  tutti_vector_free(needs);
  free(needs->folders);
}
