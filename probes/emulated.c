#include "probes/emulated.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"

#define TURN_US       2000
#define DEMAND_GAP_NS (200 * VS_NS_PER_MS) /* demand that pauses for less is one demand */
#define BURST_NS      (250 * VS_NS_PER_MS) /* how much of a stall under load is caught up */
#define START_RATE    1000.0               /* until the first turn sets the tier's */

struct vs_emulated {
	struct vs_pace *pace;
	pthread_t thread;
	_Atomic bool stop;
	_Atomic int tier;
	int min_tier, max_tier;
	double ceiling_iops[VS_LADDER_MAX];
	int64_t rise_ns, sustained_ns, overshoot_ns, first_fall_ns, fall_ns;
	/* the thread's own */
	uint64_t refused;
	int64_t demand_since_ns, demand_last_ns; /* of the demand under way, or the last one */
	int64_t idle_since_ns;                   /* the last sustained demand ended here */
	int64_t changed_ns;                      /* the last step */
	int64_t overshoot_until_ns;
};

static void enter_tier(struct vs_emulated *v, int tier, int64_t now_ns, bool rising)
{
	double factor = rising ? VS_EMULATED_OVERSHOOT : 1;

	atomic_store(&v->tier, tier);
	v->changed_ns = now_ns;
	v->overshoot_until_ns = rising ? now_ns + v->overshoot_ns : 0;
	vs_pace_set_rate(v->pace, v->ceiling_iops[tier] * factor);
}

/* Demand is what the ceiling has turned away since the last turn. */
static bool watch_demand(struct vs_emulated *v, int64_t now_ns)
{
	uint64_t refused = vs_pace_refused(v->pace);

	if (refused != v->refused) {
		if (now_ns - v->demand_last_ns > DEMAND_GAP_NS)
			v->demand_since_ns = now_ns;
		v->demand_last_ns = now_ns;
		v->refused = refused;
	}
	if (now_ns - v->demand_last_ns > DEMAND_GAP_NS) {
		/* idleness saves nothing up, so a probe reads the ceiling from its first moment */
		vs_pace_restart(v->pace, now_ns);
		return false;
	}
	if (v->demand_last_ns - v->demand_since_ns < v->sustained_ns)
		return false;
	v->idle_since_ns = v->demand_last_ns;
	return true;
}

static void turn(struct vs_emulated *v, int64_t now_ns)
{
	int tier = atomic_load(&v->tier);
	bool demand = watch_demand(v, now_ns);
	int64_t since_ns;

	if (v->overshoot_until_ns > 0 && now_ns >= v->overshoot_until_ns) {
		v->overshoot_until_ns = 0;
		vs_pace_set_rate(v->pace, v->ceiling_iops[tier]);
	}
	if (demand) {
		since_ns = v->demand_since_ns > v->changed_ns ? v->demand_since_ns : v->changed_ns;
		if (tier < v->max_tier && v->demand_last_ns - since_ns >= v->rise_ns)
			enter_tier(v, tier + 1, now_ns, true);
	} else if (tier > v->min_tier && now_ns - v->idle_since_ns >= v->first_fall_ns &&
		   now_ns - v->changed_ns >= v->fall_ns) {
		enter_tier(v, tier - 1, now_ns, false);
	}
}

static void *volume_main(void *arg)
{
	struct vs_emulated *v = arg;

	while (!atomic_load(&v->stop)) {
		turn(v, vs_clock_mono_ns());
		(void)usleep(TURN_US);
	}
	return NULL;
}

static int find_tier(const struct vs_ladder *ladder, const char *name, int *out,
		     struct vs_error *err)
{
	*out = vs_ladder_find(ladder, name);
	if (*out >= 0)
		return 0;
	return vs_error_set(err, VS_EUSAGE, 0, "%s has no tier '%s'; 'volscale tiers' lists them",
			    ladder->provider, name);
}

static int fill(struct vs_emulated *v, const struct vs_emulated_options *o, struct vs_error *err)
{
	double speed = o->speed;

	if (!(speed > 0))
		return vs_error_set(err, VS_EUSAGE, 0, "a speed of %g; give more than 0", speed);
	if (find_tier(o->ladder, o->min_tier, &v->min_tier, err) != 0 ||
	    find_tier(o->ladder, o->max_tier, &v->max_tier, err) != 0)
		return -1;
	if (v->min_tier > v->max_tier)
		return vs_error_set(err, VS_EUSAGE, 0, "tier %s is above tier %s", o->min_tier,
				    o->max_tier);
	for (size_t i = 0; i < o->ladder->n_tiers; i++)
		v->ceiling_iops[i] = vs_tier_ceiling_iops(&o->ladder->tiers[i], o->block_bytes);
	v->rise_ns = (int64_t)(VS_EMULATED_RISE_S * 1e9 / speed);
	v->sustained_ns = (int64_t)(VS_EMULATED_SUSTAINED_S * 1e9 / speed);
	v->overshoot_ns = (int64_t)(VS_EMULATED_OVERSHOOT_S * 1e9 / speed);
	v->fall_ns = (int64_t)(VS_EMULATED_FALL_S * 1e9 / speed);
	v->first_fall_ns = (int64_t)((double)o->first_fall_ns / speed);
	v->tier = v->min_tier;
	return 0;
}

/* The thread must not be the one that takes the signals of the run. */
static int start_thread(struct vs_emulated *v, struct vs_error *err)
{
	sigset_t all, old;
	int rc;

	(void)sigfillset(&all);
	(void)pthread_sigmask(SIG_BLOCK, &all, &old);
	rc = pthread_create(&v->thread, NULL, volume_main, v);
	(void)pthread_sigmask(SIG_SETMASK, &old, NULL);
	return rc == 0 ? 0 : vs_error_sys(err, rc, "cannot start the emulated volume");
}

int vs_emulated_open(const struct vs_emulated_options *options, struct vs_emulated **out,
		     struct vs_error *err)
{
	struct vs_emulated *v = calloc(1, sizeof(*v));

	if (!v)
		return vs_error_nomem(err);
	if (fill(v, options, err) != 0 || vs_pace_open(START_RATE, BURST_NS, &v->pace, err) != 0)
		goto fail;
	vs_pace_set_queueing(v->pace, true);
	v->idle_since_ns = vs_clock_mono_ns();
	enter_tier(v, v->min_tier, v->idle_since_ns, false);
	if (start_thread(v, err) != 0)
		goto fail;
	*out = v;
	return 0;
fail:
	vs_pace_free(v->pace);
	free(v);
	return -1;
}

void vs_emulated_free(struct vs_emulated *volume)
{
	if (!volume)
		return;
	atomic_store(&volume->stop, true);
	VS_ASSERT(pthread_join(volume->thread, NULL) == 0);
	vs_pace_free(volume->pace);
	free(volume);
}

struct vs_pace *vs_emulated_pace(const struct vs_emulated *volume)
{
	return volume->pace;
}

int vs_emulated_tier(const struct vs_emulated *volume)
{
	return atomic_load(&volume->tier);
}
