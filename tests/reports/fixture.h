/* Timelines built by hand, so that the reports' tests need no detector. */
#ifndef TESTS_REPORTS_FIXTURE_H
#define TESTS_REPORTS_FIXTURE_H

#include "base/run.h"
#include "model/catalogue.h"
#include "model/timeline.h"

enum fixture_kind {
	FIXTURE_SCALE, /* 240 s: VPU 10 to 50, a dip, a pending level, a hostile label */
	FIXTURE_DAY,   /* 86,400 s: up, down and up again */
	FIXTURE_DECAY, /* emulated: three rises under load, three falls seen by probes */
	FIXTURE_EMPTY, /* crashed before its first sample; nothing known */
};

struct fixture {
	struct vs_run run;
	struct vs_ladder ladder;
	struct vs_timeline timeline; /* borrows from the two above: do not move the struct */
};

/* Aborts when something fails: a fixture is not what is tested. */
void fixture_init(struct fixture *fixture, enum fixture_kind kind);
void fixture_release(struct fixture *fixture);

#endif
