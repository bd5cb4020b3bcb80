/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * test_realkernel.c - what zsmsim validate --kernel can be held to without a
 * zram device: the bytes it writes, what it knows of kernels, and when it
 * refuses.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "model/zram/lzorle.h"
#include "realkernel/fill.h"
#include "realkernel/running.h"
#include "realkernel/swapped.h"
#include "realkernel/traits.h"

#define PAGE_BYTES 4096u

static size_t compressed(const void *page)
{
	static struct lzo_workspace ws;
	static u8 out[LZO_WORST(PAGE_BYTES)];

	return lzo_compress(LZO_RLE, page, PAGE_BYTES, out, &ws);
}

static uint64_t *filled(size_t pages)
{
	uint64_t *region = calloc(pages, PAGE_BYTES);

	cr_assert(region);
	fill_region(region, pages * PAGE_BYTES);
	return region;
}

/*
 * What zram of a real kernel makes of the program's sixteen kinds of pages
 * under lzo-rle, kind by kind. Expect the same of the pages that we write, in
 * the first period and in the second: one wrong word would change a size.
 */
Test(fill, pages_compress_to_the_known_sizes)
{
	static const size_t bytes[FILL_PERIOD] = {
		876, 945, 1004, 1074, 1137, 1200, 1274, 1343, 1399, 1461, 1529, 1605, 1658, 1715, 1776, 1842,
	};
	uint64_t *region = filled(2 * FILL_PERIOD);

	for (size_t i = 0; i < 2 * FILL_PERIOD; i++)
		cr_expect_eq(compressed((char *)region + i * PAGE_BYTES), bytes[i % FILL_PERIOD], "page %zu", i);
	free(region);
}

/* The last page of a period has 226 words that are not zero but the first. Expect the first after it to have 106. */
Test(fill, words_are_those_of_the_program)
{
	uint64_t *region = filled(FILL_PERIOD + 1), *last = region + 15 * 512, *next = last + 512;

	cr_expect_eq(last[0], 0);
	cr_expect_eq(last[1], 21235486088u);
	cr_expect_eq(last[225], 225 * 21235486088u);
	cr_expect_eq(last[226], 0);
	cr_expect_eq(next[105], 105 * 21235486088u);
	cr_expect_eq(next[106], 0);
	free(region);
}

/*
 * 256 MiB is 4096 times each kind of page. A kernel's mm_stat says 89448502
 * compressed bytes for them and the first page of the swap area. Expect that
 * sum to the byte: the header is the rest.
 */
Test(fill, sum_of_a_region_and_the_header_is_what_a_kernel_says)
{
	uint64_t *region = filled(FILL_PERIOD);
	char header[PAGE_BYTES];
	size_t sum = 0;

	for (size_t i = 0; i < FILL_PERIOD; i++)
		sum += 4096 * compressed((char *)region + i * PAGE_BYTES);
	fill_swap_header(header, sizeof(header), fill_swap_slots(65536, 1));
	cr_expect_eq(sum + compressed(header), 89448502);
	free(region);
}

/* Expect what mkswap writes and nothing else: version and last slot after 1 KiB, magic in the last 10 bytes. */
Test(fill, swap_header_is_all_that_a_kernel_reads)
{
	char page[PAGE_BYTES], wanted[PAGE_BYTES] = { 0 };
	const uint32_t version = 1, last_slot = 1535;

	memset(page, 0x55, sizeof(page));
	fill_swap_header(page, sizeof(page), 1536);
	memcpy(wanted + 1024, &version, sizeof(version));
	memcpy(wanted + 1028, &last_slot, sizeof(last_slot));
	memcpy(wanted + 4086, "SWAPSPACE2", 10);
	cr_expect_arr_eq(page, wanted, PAGE_BYTES);
}

/* One slot is the header's: 511 pages fill one cluster with it, 512 need a second; and one more per process. */
Test(fill, swap_area_has_room_for_header_and_open_clusters)
{
	cr_expect_eq(fill_swap_slots(511, 1), 2 * 512);
	cr_expect_eq(fill_swap_slots(512, 1), 3 * 512);
	cr_expect_eq(fill_swap_slots(512, 4), 6 * 512);
}

/* Which locks zs_free() takes, by release. Expect the variant that takes the same, and a remark where none does. */
Test(running, variant_goes_by_the_release)
{
	static const struct {
		const char *release, *variant;
	} rows[] = {
		{ "7.3.0", "base" }, { "10.1", "base" },
		{ "7.2.9-arch1", "pool-lock" }, { "6.18.44-1-amd64", "pool-lock" }, { "6.15.0-rc1", "pool-lock" },
		{ "6.12.43+deb13", "pool-lock" }, { "6.6.1", "pool-lock" }, { "5.4", "pool-lock" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		cr_expect_str_eq(nearest_variant(rows[i].release).variant, rows[i].variant, "%s", rows[i].release);
	cr_expect(strstr(nearest_variant("6.10.2").why, "one spinlock"));
	cr_expect(!strstr(nearest_variant("6.11.0").why, "one spinlock"));
	cr_expect_null(nearest_variant("unknown").variant);
}

Test(running, chain_size_is_read_from_a_configuration)
{
	cr_expect_eq(chain_size_in("CONFIG_ZSMALLOC=y\nCONFIG_ZSMALLOC_CHAIN_SIZE=10\nCONFIG_X=1\n"), 10);
	cr_expect_eq(chain_size_in("CONFIG_ZSMALLOC=y\n"), 0);
}

/* A machine that lacks nothing. */
static struct kernel_needs all_there(void)
{
	return (struct kernel_needs){
		.system = "Linux", .release = "6.18.0", .admin = true, .swapon = true, .control = true,
		.control_there = true, .pagemap = true, .page_bytes = 4096, .available = 8ull << 30,
	};
}

static void expect_missing(const struct kernel_needs *needs, const char *word)
{
	char line[256] = "";

	cr_expect_not(kernel_needs_met(needs, 512ull << 20, line, sizeof(line)), "%s", word);
	cr_expect(strstr(line, word), "'%s' does not name '%s'", line, word);
	cr_expect_null(strchr(line, '\n'));
}

/* Take one thing away at a time. Expect a refusal that names it. */
Test(running, each_need_is_named_when_it_is_missing)
{
	struct kernel_needs n = all_there();
	char line[256];

	cr_expect(kernel_needs_met(&n, 512ull << 20, line, sizeof(line)));
	strcpy(n.system, "FreeBSD");
	expect_missing(&n, "Linux");
	n = all_there();
	n.admin = false;
	expect_missing(&n, "root");
	n = all_there();
	n.control_there = n.control = false;
	expect_missing(&n, "modprobe zram");
	n = all_there();
	n.control = false;
	expect_missing(&n, "zram-control");
	n = all_there();
	n.swapon = false;
	expect_missing(&n, "swap");
	n = all_there();
	n.zswap = true;
	expect_missing(&n, "zswap");
	n = all_there();
	n.pagemap = false;
	expect_missing(&n, "pagemap");
	n = all_there();
	n.page_bytes = 16384;
	expect_missing(&n, "4 KiB");
}

/* Regions of 512 MiB need them twice and 1 GiB: 2 GiB. Expect a byte less, and an unknown amount, to be refused. */
Test(running, refuses_when_free_memory_is_short)
{
	struct kernel_needs n = all_there();
	char line[256];

	n.available = 2ull << 30;
	cr_expect(kernel_needs_met(&n, 512ull << 20, line, sizeof(line)));
	n.available--;
	expect_missing(&n, "2048 MB of free memory");
	n.available = 0;
	expect_missing(&n, "free memory");
}

/* To look changes nothing and never fails; what it finds here depends on the machine, but not this. */
Test(running, finds_the_release_that_runs)
{
	struct kernel_needs n;

	kernel_needs_find(&n);
	cr_expect_str_eq(n.system, "Linux");
	cr_expect_neq(n.release[0], '\0');
	cr_expect_eq(n.page_bytes, (unsigned)sysconf(_SC_PAGESIZE));
}

/* Pages that were just written are in memory. Expect all of them to be counted as not swapped. */
Test(swapped, resident_pages_are_not_swapped)
{
	const size_t pages = 5000, bytes = pages * PAGE_BYTES;
	char *region = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), error[160];
	size_t left;

	if (access("/proc/self/pagemap", R_OK) || sysconf(_SC_PAGESIZE) != PAGE_BYTES)
		cr_skip_test("no pagemap, or of other pages");
	cr_assert_neq(region, MAP_FAILED);
	memset(region, 1, bytes);
	cr_assert_eq(pages_not_swapped(region, bytes, &left, error, sizeof(error)), 0, "%s", error);
	cr_expect_eq(left, pages);
	munmap(region, bytes);
}

static char root[] = "/tmp/zsmsim-traits-XXXXXX";

static void write_at(const char *path, const char *text)
{
	char command[256], full[256];
	FILE *f;

	snprintf(command, sizeof(command), "mkdir -p \"$(dirname %s%s)\"", root, path);
	cr_assert_eq(system(command), 0);
	snprintf(full, sizeof(full), "%s%s", root, path);
	f = fopen(full, "w");
	cr_assert(f);
	fputs(text, f);
	fclose(f);
}

static void make_root(void)
{
	cr_assert(mkdtemp(root));
}

static void remove_root(void)
{
	char command[64];

	snprintf(command, sizeof(command), "rm -rf %s", root);
	cr_expect_eq(system(command), 0);
}

/* A kernel that says nothing. Expect no trait. */
Test(traits, none_without_files, .init = make_root, .fini = remove_root)
{
	const struct trait *found[8];

	cr_expect_eq(kernel_traits(root, found, 8), 0);
}

/*
 * A guest with the symbol of paravirtual spinlocks has two traits, the same
 * kernel on bare metal none of them: there the symbol is built in and unused.
 */
Test(traits, paravirtual_locks_need_a_hypervisor, .init = make_root, .fini = remove_root)
{
	const struct trait *found[8];

	write_at("/proc/kallsyms", "0000000000000000 T schedule\n0000000000000000 T __pv_queued_spin_lock_slowpath\n");
	write_at("/proc/cpuinfo", "flags\t\t: fpu vme sse\n");
	cr_expect_eq(kernel_traits(root, found, 8), 0);
	write_at("/proc/cpuinfo", "flags\t\t: fpu vme hypervisor sse\n");
	cr_assert_eq(kernel_traits(root, found, 8), 2);
	cr_expect(strstr(found[0]->what, "paravirtual"));
	cr_expect_eq(kernel_traits(root, found, 1), 1);
}

Test(traits, mitigations_are_read, .init = make_root, .fini = remove_root)
{
	const struct trait *found[8];

	write_at("/sys/devices/system/cpu/vulnerabilities/spec_rstack_overflow", "Mitigation: Safe RET\n");
	write_at("/sys/devices/system/cpu/vulnerabilities/retbleed", "Not affected\n");
	write_at("/sys/devices/system/cpu/vulnerabilities/spectre_v2", "Mitigation: Retpolines; IBPB: conditional\n");
	cr_assert_eq(kernel_traits(root, found, 8), 2);
	cr_expect(strstr(found[0]->what, "safe returns"));
	cr_expect(strstr(found[1]->what, "retpolines"));
}
