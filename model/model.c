/* SPDX-License-Identifier: GPL-3.0-or-later */
/* model.c - the software as its host sees it: prepare, run, finish. */
#include "model/kernel/boot.h"
#include "model/kernel/kernel.h"
#include "model/model.h"
#include "model/workload/workload.h"
#include "model/zram/zram.h"
#include "model/zsmalloc/zsmalloc.h"

static const struct workload *workload;
static char mm_stat_start[128];

/* The line as it is now, or nothing where there is no zram. */
static void read_mm_stat(char *buf, size_t bytes)
{
	struct zram *zram = workload->zram ? workload->zram() : NULL;

	buf[0] = 0;
	if (zram)
		zram_mm_stat(zram, buf, bytes);
}

/* Every page is in exactly one place. */
static void check_pages(void)
{
	unsigned long buddy = count_buddy_pages(), pcp = count_pcp_pages();
	long zspages = zone_page_state(NR_ZSPAGES), anon = zone_page_state(NR_ANON_PAGES);
	long slab = zone_page_state(NR_SLAB_PAGES), kernel = zone_page_state(NR_KERNEL_PAGES);

	if ((long)(buddy + pcp) + zspages + anon + slab + kernel != (long)managed_pages())
		hw_fault("pages do not add up: buddy %lu + per-CPU %lu + zspage %ld + anonymous %ld + slab %ld + "
			 "kernel %ld is not %lu", buddy, pcp, zspages, anon, slab, kernel, managed_pages());
	if ((long)buddy != zone_page_state(NR_FREE_PAGES))
		hw_fault("NR_FREE_PAGES is %ld, the buddy lists hold %lu", zone_page_state(NR_FREE_PAGES), buddy);
}

static void prepare(const struct model_config *config)
{
	kernel_boot(config->memory_bytes);
	if (config->worker_cpus)
		workqueue_restrict(system_dfl_wq, config->worker_cpus);
	workload = workload_of_kind(config->workload);
	workload->prepare(config);
	read_mm_stat(mm_stat_start, sizeof(mm_stat_start));
	hw_mute();
	zs_check_pool(workload->pool());
	workload->check();
	hw_unmute();
}

static void finish(struct model_report *report)
{
	for (unsigned i = 0; i < sizeof(mm_stat_start); i++)
		report->mm_stat[i] = mm_stat_start[i];
	read_mm_stat(report->mm_stat_end, sizeof(report->mm_stat_end));
	report->objects_left = zs_deferred_objects(workload->pool());
	if (workload->flush)
		workload->flush();
	hw_mute();
	zs_check_pool(workload->pool());
	hw_unmute();
	workload->finish();
	check_pages();
	if (zone_page_state(NR_ZSPAGES) || zone_page_state(NR_ANON_PAGES))
		hw_fault("leak: %ld zspage pages and %ld anonymous pages are left", zone_page_state(NR_ZSPAGES),
			 zone_page_state(NR_ANON_PAGES));
}

static size_t classes(char *buf, size_t bytes)
{
	return zs_classes_show(workload->pool(), buf, bytes);
}

__attribute__((visibility("default"))) const struct model_ops zsmsim_model = {
	.prepare = prepare,
	.cpu_main = cpu_idle_loop,
	.finish = finish,
	.check_pages = check_pages,
	.classes = classes,
};
