/* Where may a database lie? Not on what is being measured, and not where locks lie. */
#include "store/store.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "store/db.h"

/* A device stacked on itself does not exist; this only ends a walk through a broken /sys. */
#define STACK_MAX 8

static const struct {
	uint32_t magic;
	const char *name;
} network_file_systems[] = {
	{ 0x6969, "NFS" },      { 0xff534d42, "CIFS" },   { 0xfe534d42, "SMB" },
	{ 0x517b, "SMB" },      { 0x65735546, "FUSE" },   { 0x01021997, "9p" },
	{ 0x00c36400, "Ceph" }, { 0x0bd00bd0, "Lustre" }, { 0x47504653, "GPFS" },
	{ 0x5346414f, "AFS" },  { 0x7461636f, "OCFS2" },  { 0x01161970, "GFS2" },
};

/* The file, or while it does not exist the folder that it would be made in. */
static int stat_place(const char *path, struct stat *st, struct statfs *fs)
{
	char folder[PATH_MAX];
	char *slash;

	if (stat(path, st) == 0)
		return statfs(path, fs);
	if (snprintf(folder, sizeof(folder), "%s", path) >= (int)sizeof(folder))
		return -1;
	slash = strrchr(folder, '/');
	if (!slash)
		memcpy(folder, ".", sizeof("."));
	else if (slash == folder)
		folder[1] = '\0';
	else
		*slash = '\0';
	return stat(folder, st) == 0 ? statfs(folder, fs) : -1;
}

static const char *network_name(const struct statfs *fs)
{
	for (size_t i = 0; i < sizeof(network_file_systems) / sizeof(network_file_systems[0]); i++)
		if ((uint32_t)fs->f_type == network_file_systems[i].magic)
			return network_file_systems[i].name;
	return NULL;
}

bool vs_place_is_network(const char *path)
{
	struct statfs fs;
	struct stat st;

	return stat_place(path, &st, &fs) == 0 && network_name(&fs);
}

static bool read_device(const char *path, dev_t *out)
{
	unsigned int major_number, minor_number;
	FILE *in = fopen(path, "re");
	char line[32];
	bool ok;

	if (!in)
		return false;
	ok = fgets(line, sizeof(line), in) != NULL;
	(void)fclose(in);
	if (!ok || sscanf(line, "%u:%u", &major_number, &minor_number) != 2) /* NOLINT */
		return false;
	*out = makedev(major_number, minor_number);
	return true;
}

static bool rests_on(dev_t device, dev_t target, int depth);

/* The disk of a partition, the file of a loop device. */
static bool parent_rests_on(const char *folder, dev_t target, int depth)
{
	char path[PATH_MAX], file[PATH_MAX];
	struct stat st;
	dev_t parent;
	FILE *in;
	bool found = false;

	(void)snprintf(path, sizeof(path), "%s/partition", folder);
	if (stat(path, &st) == 0) {
		(void)snprintf(path, sizeof(path), "%s/../dev", folder);
		if (read_device(path, &parent) && rests_on(parent, target, depth))
			return true;
	}
	(void)snprintf(path, sizeof(path), "%s/loop/backing_file", folder);
	in = fopen(path, "re");
	if (!in)
		return false;
	if (fgets(file, sizeof(file), in)) {
		file[strcspn(file, "\n")] = '\0';
		found = stat(file, &st) == 0 && rests_on(st.st_dev, target, depth);
	}
	(void)fclose(in);
	return found;
}

/* Does what is written to device end on target? */
static bool rests_on(dev_t device, dev_t target, int depth)
{
	char folder[64], path[PATH_MAX];
	struct dirent *entry;
	bool found = false;
	dev_t slave;
	DIR *dir;

	if (device == target)
		return true;
	if (depth == STACK_MAX)
		return false;
	(void)snprintf(folder, sizeof(folder), "/sys/dev/block/%u:%u", major(device),
		       minor(device));
	if (parent_rests_on(folder, target, depth + 1))
		return true;
	(void)snprintf(path, sizeof(path), "%s/slaves", folder);
	dir = opendir(path);
	if (!dir)
		return false;
	while (!found && (entry = readdir(dir))) {
		if (entry->d_name[0] == '.')
			continue;
		(void)snprintf(path, sizeof(path), "%s/slaves/%s/dev", folder, entry->d_name);
		found = read_device(path, &slave) && rests_on(slave, target, depth + 1);
	}
	(void)closedir(dir);
	return found;
}

int vs_store_check_place(const char *path, const char *const *targets, size_t n_targets,
			 char notice[VS_STORE_NOTICE_MAX], struct vs_error *err)
{
	struct stat place, target;
	struct statfs fs;
	const char *network;

	notice[0] = '\0';
	if (stat_place(path, &place, &fs) != 0)
		return vs_error_sys(err, errno, "cannot use database '%s'", path);
	network = network_name(&fs);
	if (network)
		return vs_error_set(err, VS_EUSAGE, 0,
				    "database '%s' lies on a network file system (%s), where a "
				    "crash can damage it; name a local file with --db, or --force",
				    path, network);
	for (size_t i = 0; i < n_targets; i++) {
		if (stat(targets[i], &target) != 0)
			continue; /* whoever opens it will say so */
		if (S_ISBLK(target.st_mode)
			    ? rests_on(place.st_dev, target.st_rdev, 0)
			    : place.st_dev == target.st_dev && place.st_ino == target.st_ino)
			return vs_error_set(err, VS_EUSAGE, 0,
					    "database '%s' lies on the target '%s' and would be "
					    "measured with it; name a file on another disk with "
					    "--db, or --force",
					    path, targets[i]);
		if (!S_ISBLK(target.st_mode) && place.st_dev == target.st_dev)
			(void)snprintf(notice, VS_STORE_NOTICE_MAX,
				       "database '%s' lies on the same file system as the target "
				       "'%s'; its writes are part of what is measured",
				       path, targets[i]);
	}
	return 0;
}
