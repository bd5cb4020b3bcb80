/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * steps.c - the sequence of operations of steps.h.
 *
 * It goes through phases, chosen at random, each of which prefers some
 * operations and some sizes, so that classes fill, empty and become sparse.
 * What is chosen depends on the seed, on the numbers of the objects alive
 * and on the sizes of classes; never on an address, nor on how a free list
 * happens to run. So two allocators see the same operations as long as they
 * give the same answers.
 */
#include "model/kernel/boot.h"
#include "model/workload/steps_driver.h"
#include "model/zsmalloc/view.h"

#define PHASE_MIN_STEPS	60u
#define PHASE_STEPS	800u		/* at most so many more */
#define HELD_STEPS	12u		/* a page stays locked for about so many */
#define SHORT_PAGES	24u		/* fewer are left when memory is short */

struct steps *steps;

/* ---- random choices ---- */

static u64 random_word(void)
{
	u64 z = steps->random += 0x9e3779b97f4a7c15ull;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ z >> 27) * 0x94d049bb133111ebull;
	return z ^ z >> 31;
}

u32 random_below(u32 n)
{
	return (u32)((random_word() >> 32) * n >> 32);
}

struct step_object *random_object(void)
{
	return objects_at(random_below(objects_alive()));
}

bool break_is_due(enum steps_break what)
{
	if (steps->config.break_what != what || steps->broken || steps->step < steps->config.break_at)
		return false;
	steps->broken = true;
	return true;
}

/* ---- sizes ---- */

enum sizes { SIZES_ANY, SIZES_CLASSES, SIZES_SMALL, SIZES_LARGE, SIZES_HUGE, SIZES_FEW, SIZES_ONE, NR_SIZES };

enum phase_kind { PHASE_FILL, PHASE_DRAIN, PHASE_CHURN, PHASE_SPARSE, PHASE_PACK, PHASE_SHORT, NR_PHASES };

#define FEW_CLASSES 5u

static struct {
	u32 left;			/* steps of the phase */
	enum phase_kind kind;
	enum sizes sizes;
	u16 few[FEW_CLASSES];		/* classes that SIZES_FEW and SIZES_ONE keep to */
	bool short_of_memory;
	u32 held_left;			/* steps until the locked page is let go */
} phase;

static u32 between(u32 low, u32 high)
{
	return low + random_below(high - low + 1);
}

/* A size that ends up in class @i: its objects, less their header, or a few bytes less. */
static u32 size_in_class(unsigned i)
{
	struct zs_class_view class;

	BUG_ON(!zs_view_class(steps->pool, i, &class));
	if (class.size == PAGE_SIZE)
		return between((u32)zs_huge_class_size(steps->pool), PAGE_SIZE);
	return class.size - (u32)sizeof(unsigned long) - random_below(PAGE_SIZE >> 8);
}

static u32 random_size(void)
{
	switch (phase.sizes) {
	case SIZES_CLASSES:
		return size_in_class(steps->class_at[random_below(steps->nr_classes)]);
	case SIZES_SMALL:
		return between(1, PAGE_SIZE / 16);
	case SIZES_LARGE:
		return between(PAGE_SIZE / 2, PAGE_SIZE * 7 / 8);
	case SIZES_HUGE:
		return between(PAGE_SIZE * 3 / 4, PAGE_SIZE);
	case SIZES_FEW:
		return size_in_class(phase.few[random_below(FEW_CLASSES)]);
	case SIZES_ONE:
		return size_in_class(phase.few[0]);
	default:
		return between(1, PAGE_SIZE);
	}
}

static void list_classes(void)
{
	struct zs_class_view class;

	steps->class_at = vzalloc(zs_view_nr_indices(steps->pool) * sizeof(*steps->class_at));
	BUG_ON(!steps->class_at);
	for (unsigned i = 0; i < zs_view_nr_indices(steps->pool); i++)
		if (zs_view_class(steps->pool, i, &class))
			steps->class_at[steps->nr_classes++] = (u16)i;
}

/* ---- operations that are no more than a call ---- */

static void step_malloc(struct step_text *text)
{
	allocate(text, random_size());
}

/* Sizes for which there is no class, and the largest and smallest that have one. */
static void step_odd_size(struct step_text *text)
{
	static const u32 sizes[] = { 0, 1, PAGE_SIZE - 1, PAGE_SIZE, PAGE_SIZE + 1, 2 * PAGE_SIZE, ~0u };

	allocate(text, sizes[random_below(ARRAY_SIZE(sizes))]);
}

static void step_compact(struct step_text *text)
{
	say(text, "compact -> %lu", zs_compact(steps->pool));
	steps->touched = TOUCHED_ALL;
}

static void step_shrink(struct step_text *text)
{
	unsigned long count = zs_shrinker_count(steps->pool);

	say(text, "shrinker count -> %lu", count);
	if (random_below(2))
		say(text, ", scan -> %ld", (long)zs_shrinker_scan(steps->pool, min(count, 128ul)));
	steps->touched = TOUCHED_ALL;
}

static void step_query(struct step_text *text)
{
	u32 size = between(1, PAGE_SIZE);

	say(text, "class of %u -> %u, huge from %lu, compacted %lu", size, zs_lookup_class_index(steps->pool, size),
	    zs_huge_class_size(steps->pool), zs_pages_compacted(steps->pool));
}

/* ---- which operation ---- */

enum step_op {
	OP_MALLOC, OP_ODD_SIZE, OP_FREE_RANDOM, OP_FREE_OLDEST, OP_FREE_NEWEST, OP_FREE_PAIR, OP_FREE_CLASS,
	OP_FREE_NOTHING, OP_READ, OP_WRITE, OP_COMPACT, OP_SHRINK, OP_MIGRATE, OP_LOCK_PAGE, OP_WORKERS, OP_QUERY,
	OP_UNLOCK_PAGE, NR_OPS
};

static const struct {
	void (*run)(struct step_text *text);
	bool needs_object;
} ops[NR_OPS] = {
	[OP_MALLOC] = { step_malloc, false },
	[OP_ODD_SIZE] = { step_odd_size, false },
	[OP_FREE_RANDOM] = { step_free_random, true },
	[OP_FREE_OLDEST] = { step_free_oldest, true },
	[OP_FREE_NEWEST] = { step_free_newest, true },
	[OP_FREE_PAIR] = { step_free_pair, true },
	[OP_FREE_CLASS] = { step_free_class, true },
	[OP_FREE_NOTHING] = { step_free_nothing, false },
	[OP_READ] = { step_read, true },
	[OP_WRITE] = { step_write, true },
	[OP_COMPACT] = { step_compact, false },
	[OP_SHRINK] = { step_shrink, false },
	[OP_MIGRATE] = { step_migrate, true },
	[OP_LOCK_PAGE] = { step_lock_page, true },
	[OP_WORKERS] = { step_workers, false },
	[OP_QUERY] = { step_query, false },
	[OP_UNLOCK_PAGE] = { step_unlock_page, false },
};

/* Parts of the sum; columns in the order of enum step_op. A page is unlocked when its time has come. */
static const u16 weights[NR_PHASES][NR_OPS] = {
	[PHASE_FILL]	= { 800, 10, 30, 10, 10,  10, 0, 2, 20, 20, 1, 2, 10, 5, 1, 5, 0 },
	[PHASE_DRAIN]	= {  50,  5, 300, 200, 200, 60, 3, 2, 20, 20, 3, 2, 20, 10, 3, 5, 0 },
	[PHASE_CHURN]	= { 300, 10, 120, 60, 60,  30, 1, 2, 40, 40, 3, 5, 40, 20, 5, 10, 0 },
	/* zspages with few objects left, far apart */
	[PHASE_SPARSE]	= {  60,  2, 500,  0,  0, 100, 0, 2, 20, 20, 0, 5, 10, 15, 3, 5, 0 },
	[PHASE_PACK]	= { 200,  5, 200, 20, 20,  50, 1, 2, 80, 20, 30, 20, 60, 30, 5, 10, 0 },
	[PHASE_SHORT]	= { 500,  5, 80, 40, 40,  20, 1, 2, 20, 20, 5, 5, 40, 20, 3, 5, 0 },
};

static enum step_op weighted_op(const u16 *weight)
{
	u32 sum = 0, at;
	int op;

	for (op = 0; op < NR_OPS; op++)
		sum += weight[op];
	at = random_below(sum);
	for (op = 0; at >= weight[op]; op++)
		at -= weight[op];
	return (enum step_op)op;
}

/* As often as each is here. The pool grows in the long run, until it is full. */
static const u8 phase_kinds[] = {
	PHASE_FILL, PHASE_FILL, PHASE_FILL, PHASE_FILL, PHASE_DRAIN, PHASE_CHURN, PHASE_CHURN, PHASE_SPARSE,
	PHASE_PACK, PHASE_SHORT,
};

static void next_phase(void)
{
	phase.left = PHASE_MIN_STEPS + random_below(PHASE_STEPS);
	phase.kind = phase_kinds[random_below(ARRAY_SIZE(phase_kinds))];
	phase.sizes = (enum sizes)random_below(NR_SIZES);
	for (unsigned i = 0; i < FEW_CLASSES; i++)
		phase.few[i] = steps->class_at[random_below(steps->nr_classes)];
	if (phase.short_of_memory)
		give_back_pages();
	phase.short_of_memory = phase.kind == PHASE_SHORT;
	if (phase.short_of_memory)
		take_pages(random_below(SHORT_PAGES));
}

static enum step_op choose_op(void)
{
	enum step_op op;

	if (steps->held && !phase.held_left--)
		return OP_UNLOCK_PAGE;
	op = weighted_op(weights[phase.kind]);
	if (op == OP_LOCK_PAGE && steps->held)
		return OP_WORKERS;
	if (op == OP_LOCK_PAGE)
		phase.held_left = random_below(HELD_STEPS);
	if (ops[op].needs_object && !objects_alive())
		return OP_MALLOC;
	if ((op == OP_MALLOC || op == OP_ODD_SIZE) && objects_alive() == STEPS_MAX_OBJECTS)
		return OP_FREE_RANDOM;
	return op;
}

#define BREAK_OBJECTS	50u		/* with fewer, what was broken is soon gone */

static void break_something(void)
{
	if (objects_alive() < BREAK_OBJECTS)
		return;
	if (break_is_due(STEPS_BREAK_EXTRA_FREE))
		free_object(objects_newest());
	if (break_is_due(STEPS_BREAK_CONTENT))
		contents_damage(random_object());
}

/* ---- what the host calls ---- */

static void begin(const struct steps_config *config)
{
	kernel_boot(config->memory_bytes);
	steps = vzalloc(sizeof(*steps));
	BUG_ON(!steps || hw_nr_cpus() != 1);
	steps->config = *config;
	steps->random = config->seed;
	objects_init();
	contents_init();
	steps->pool = zs_create_pool("steps", &config->variant, config->chain_size);
	BUG_ON(!steps->pool);
	list_classes();
}

static void say_state(struct step_text *text)
{
	if (steps->touched == TOUCHED_ALL)
		say(text, " layout %016lx", layout_of_pool(steps->pool));
	else if (steps->touched >= 0)
		say(text, " layout %016lx", layout_of_class(steps->pool, (unsigned)steps->touched));
	say(text, " pages %lu %ld", zs_get_total_pages(steps->pool), zone_page_state(NR_ZSPAGES));
}

static size_t step(char *line, size_t bytes)
{
	struct step_text text = { .buf = line, .bytes = bytes };

	steps->step++;
	steps->touched = TOUCHED_NOTHING;
	if (!phase.left--)
		next_phase();
	break_something();
	say(&text, "%lu ", steps->step);
	ops[choose_op()].run(&text);
	hw_mute();
	say_state(&text);
	hw_unmute();
	return text.used;
}

static void check_everything(void)
{
	/* A page that somebody has locked contradicts what holds at rest. */
	if (!steps->held)
		zs_check_pool(steps->pool);
	for (u32 at = 0; at < objects_alive(); at++)
		contents_check(objects_at(at));
}

static size_t text(char *buf, size_t bytes)
{
	struct step_text text = { .buf = buf, .bytes = bytes };

	hw_mute();
	check_everything();
	say(&text, "after step %lu: %u objects, %lu pages, NR_ZSPAGES %ld, compacted %lu\n", steps->step,
	    objects_alive(), zs_get_total_pages(steps->pool), zone_page_state(NR_ZSPAGES),
	    zs_pages_compacted(steps->pool));
	layout_text(steps->pool, &text);
	text.used += zs_classes_show(steps->pool, buf + text.used, bytes - text.used);
	hw_unmute();
	if (text.used + 1 >= bytes)
		hw_fault("the text of step %lu does not fit into %lu bytes", steps->step, bytes);
	return text.used;
}

static void check_leaks(void)
{
	long slab = zone_page_state(NR_SLAB_PAGES), kernel = zone_page_state(NR_KERNEL_PAGES);
	long rest = (long)(count_buddy_pages() + count_pcp_pages()) + slab + kernel;

	if (zone_page_state(NR_ZSPAGES) || rest != (long)managed_pages())
		hw_fault("%ld zspage pages are left, and %ld of %lu pages are accounted for without them",
			 zone_page_state(NR_ZSPAGES), rest, managed_pages());
}

static void end(void)
{
	struct step_text nowhere = { .buf = NULL, .bytes = 0 };

	if (steps->held)
		step_unlock_page(&nowhere);
	give_back_pages();
	while (objects_alive())
		free_object(objects_oldest());
	cond_resched();
	zs_destroy_pool(steps->pool);
	check_leaks();
}

__attribute__((visibility("default"))) const struct steps_ops zsmsim_steps = {
	.begin = begin,
	.step = step,
	.text = text,
	.end = end,
};
