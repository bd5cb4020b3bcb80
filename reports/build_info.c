/* SPDX-License-Identifier: GPL-3.0-or-later */
/* build_info.c - see build_info.h. */
#include "config.h"

#include "reports/build_info.h"

#include <elf.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "scenarios/experiment.h"
#include "scenarios/mem.h"

const char *build_version(void)
{
	return PACKAGE_VERSION;
}

const char *build_compiler(void)
{
#ifdef __clang__
	return "clang " __clang_version__;
#else
	return "gcc " __VERSION__;
#endif
}

/* Is [offset, offset + bytes) within the file? Written so that nothing wraps. */
static bool within(uint64_t offset, uint64_t bytes, uint64_t size)
{
	return offset <= size && bytes <= size - offset;
}

/* Section @index, or NULL. Copied out: nothing in a file is known to be aligned. */
static bool section(const char *image, uint64_t size, const Elf64_Ehdr *header, unsigned index,
		    Elf64_Shdr *out)
{
	uint64_t at = header->e_shoff + (uint64_t)index * sizeof(*out);

	if (index >= header->e_shnum || at < header->e_shoff || !within(at, sizeof(*out), size))
		return false;
	memcpy(out, image + at, sizeof(*out));
	return out->sh_type == SHT_NOBITS || within(out->sh_offset, out->sh_size, size);
}

/* With its NUL, so that ".comment.x" is another section. */
static bool is_comment(const char *image, const Elf64_Shdr *names, uint32_t name)
{
	static const char wanted[] = ".comment";

	return within(name, sizeof(wanted), names->sh_size) &&
	       !memcmp(image + names->sh_offset + name, wanted, sizeof(wanted));
}

/* The first text of section .comment; the linker keeps one of each kind. */
static char *find_comment(const char *image, uint64_t size)
{
	Elf64_Ehdr header;
	Elf64_Shdr names, at;

	if (size < sizeof(header))
		return NULL;
	memcpy(&header, image, sizeof(header));
	if (memcmp(header.e_ident, ELFMAG, SELFMAG) || header.e_ident[EI_CLASS] != ELFCLASS64 ||
	    header.e_shentsize != sizeof(at) ||
	    !section(image, size, &header, header.e_shstrndx, &names))
		return NULL;
	for (unsigned i = 1; section(image, size, &header, i, &at); i++) {
		if (at.sh_type == SHT_PROGBITS && is_comment(image, &names, at.sh_name))
			return strndup(image + at.sh_offset, at.sh_size);
	}
	return NULL;
}

char *elf_comment(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	char *comment = NULL;
	struct stat st;
	void *image;

	if (fd < 0)
		return NULL;
	if (fstat(fd, &st) == 0 && st.st_size > 0) {
		image = mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
		if (image != MAP_FAILED) {
			comment = find_comment(image, st.st_size);
			munmap(image, st.st_size);
		}
	}
	close(fd);
	return comment;
}

const char *build_model_compiler(void)
{
	static char *compiler;

	if (!compiler) {
		char *path = experiment_module_path();

		compiler = path ? elf_comment(path) : NULL;
		if (!compiler)
			compiler = scn_strdup("unknown");
		free(path);
	}
	return compiler;
}
