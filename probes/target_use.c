#include "probes/target_use.h"

#include <blkid/blkid.h>
#include <dirent.h>
#include <libmount/libmount.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#define PARTS_MAX 128

/* The whole target and its partitions: what is done to one of these is done to the target. */
struct parts {
	dev_t dev[PARTS_MAX];
	char name[PARTS_MAX][64]; /* the kernel's */
	size_t n;
};

/* The first line of a file; false when it is not there. */
static bool read_line(char *text, size_t size, const char *path)
{
	FILE *file = fopen(path, "re");
	bool ok;

	if (!file)
		return false;
	ok = fgets(text, (int)size, file) != NULL;
	(void)fclose(file);
	if (ok)
		text[strcspn(text, "\n")] = '\0';
	return ok;
}

static bool parse_dev(const char *text, dev_t *out)
{
	unsigned int major_no, minor_no;

	// NOLINTNEXTLINE(cert-err34-c): the kernel wrote it
	if (sscanf(text, "%u:%u", &major_no, &minor_no) != 2)
		return false;
	*out = makedev(major_no, minor_no);
	return true;
}

static void find_parts(const char *root, const struct vs_target_info *info, struct parts *parts)
{
	char path[PATH_MAX], text[64];
	struct dirent *entry;
	DIR *dir;

	if (!parse_dev(info->device, &parts->dev[0]))
		return;
	(void)snprintf(parts->name[0], sizeof(parts->name[0]), "%s", info->kernel_name);
	parts->n = 1;
	(void)snprintf(path, sizeof(path), "%s/sys/dev/block/%s", root, info->device);
	dir = opendir(path);
	if (!dir)
		return;
	while (parts->n < PARTS_MAX && (entry = readdir(dir))) { // NOLINT(concurrency-mt-unsafe)
		(void)snprintf(path, sizeof(path), "%s/sys/dev/block/%s/%s/partition", root,
			       info->device, entry->d_name);
		if (!read_line(text, sizeof(text), path))
			continue;
		(void)snprintf(path, sizeof(path), "%s/sys/dev/block/%s/%s/dev", root, info->device,
			       entry->d_name);
		if (!read_line(text, sizeof(text), path) || !parse_dev(text, &parts->dev[parts->n]))
			continue;
		(void)snprintf(parts->name[parts->n++], sizeof(parts->name[0]), "%.63s",
			       entry->d_name);
	}
	(void)closedir(dir);
}

/* "" for the target itself, " (its partition sda1)" for a part. */
static const char *describe_part(const struct parts *parts, size_t i, char text[96])
{
	text[0] = '\0';
	if (i > 0)
		// cppcheck-suppress arrayIndexOutOfBoundsCond; below parts->n
		(void)snprintf(text, 96, " (its partition %s)", parts->name[i]);
	return text;
}

static void find_mounts(const char *root, const char *path, const struct parts *parts,
			struct vs_findings *out)
{
	char file[PATH_MAX], part[96];
	struct libmnt_table *table;
	struct libmnt_iter *iter = mnt_new_iter(MNT_ITER_FORWARD);
	struct libmnt_fs *fs;

	(void)snprintf(file, sizeof(file), "%s/proc/self/mountinfo", root);
	table = mnt_new_table_from_file(file);
	while (table && iter && mnt_table_next_fs(table, iter, &fs) == 0)
		for (size_t i = 0; i < parts->n; i++)
			if (mnt_fs_get_devno(fs) == parts->dev[i])
				vs_findings_add(
					out, false, "mounted",
					"'%s'%s is mounted at '%s': what else reads and writes it "
					"takes its share of the ceiling; leave it idle during the run",
					path, describe_part(parts, i, part),
					mnt_fs_get_target(fs) ? mnt_fs_get_target(fs) : "?");
	mnt_free_iter(iter);
	mnt_unref_table(table);
}

/* What kind of device a holder is, from its name and from device mapper's uuid. */
static void describe_holder(const char *root, const char *holder, char *text, size_t size)
{
	char path[PATH_MAX], uuid[160] = "", name[128] = "";
	const char *kind = "a device";

	(void)snprintf(path, sizeof(path), "%s/sys/class/block/%s/dm/uuid", root, holder);
	if (read_line(uuid, sizeof(uuid), path)) {
		kind = strncmp(uuid, "LVM-", 4) == 0     ? "the LVM volume"
		       : strncmp(uuid, "mpath-", 6) == 0 ? "the multipath device"
		       : strncmp(uuid, "CRYPT-", 6) == 0 ? "the encrypted device"
							 : "the device-mapper device";
		(void)snprintf(path, sizeof(path), "%s/sys/class/block/%s/dm/name", root, holder);
		(void)read_line(name, sizeof(name), path);
	} else if (strncmp(holder, "md", 2) == 0) {
		kind = "the RAID array";
	}
	(void)snprintf(text, size, "%s %.200s", kind, name[0] ? name : holder);
}

static void find_holders(const char *root, const char *path, const struct parts *parts,
			 struct vs_findings *out)
{
	char dir_path[PATH_MAX], part[96], holder[320];
	struct dirent *entry;

	for (size_t i = 0; i < parts->n; i++) {
		DIR *dir;

		(void)snprintf(dir_path, sizeof(dir_path), "%s/sys/dev/block/%u:%u/holders", root,
			       major(parts->dev[i]), minor(parts->dev[i]));
		dir = opendir(dir_path);
		while (dir && (entry = readdir(dir))) { // NOLINT(concurrency-mt-unsafe)
			if (entry->d_name[0] == '.')
				continue;
			describe_holder(root, entry->d_name, holder, sizeof(holder));
			vs_findings_add(out, false, "held",
					"'%s'%s is part of %s; to measure what users see, name "
					"that device instead",
					path, describe_part(parts, i, part), holder);
		}
		if (dir)
			(void)closedir(dir);
	}
}

static bool is_part(const struct parts *parts, const struct stat *st)
{
	for (size_t i = 0; i < parts->n; i++)
		if (S_ISBLK(st->st_mode) && st->st_rdev == parts->dev[i])
			return true;
	return false;
}

static void find_swap(const char *root, const char *path, const struct vs_target_info *info,
		      const struct parts *parts, struct vs_findings *out)
{
	char file_path[PATH_MAX], line[PATH_MAX + 64];
	struct stat own, st;
	FILE *file;

	(void)snprintf(file_path, sizeof(file_path), "%s/proc/swaps", root);
	file = fopen(file_path, "re");
	if (!file)
		return;
	if (stat(path, &own) < 0)
		memset(&own, 0, sizeof(own));
	while (fgets(line, sizeof(line), file)) {
		line[strcspn(line, " \t\n")] = '\0';
		if (line[0] != '/' || stat(line, &st) < 0)
			continue;
		if (info->is_device ? is_part(parts, &st)
				    : st.st_dev == own.st_dev && st.st_ino == own.st_ino)
			vs_findings_add(out, false, "swap",
					"'%s' is in use as swap: paging takes its share of the "
					"ceiling; 'swapoff %s' before the run",
					path, line);
	}
	(void)fclose(file);
}

static void find_contents(const char *path, struct vs_findings *out)
{
	blkid_probe probe = blkid_new_probe_from_filename(path);
	const char *type = NULL, *table = NULL;

	if (!probe)
		return;
	(void)blkid_probe_enable_superblocks(probe, 1);
	(void)blkid_probe_set_superblocks_flags(probe, BLKID_SUBLKS_TYPE);
	(void)blkid_probe_enable_partitions(probe, 1);
	if (blkid_do_safeprobe(probe) == 0) {
		(void)blkid_probe_lookup_value(probe, "TYPE", &type, NULL);
		(void)blkid_probe_lookup_value(probe, "PTTYPE", &table, NULL);
	}
	if (type || table)
		vs_findings_add(out, false, "file-system",
				"'%s' holds %s%s: it is only read and nothing on it changes; was "
				"another volume meant, check the name",
				path, type ? type : table, type ? "" : " partitions");
	blkid_free_probe(probe);
}

void vs_target_use_find(const char *root, const char *path, const struct vs_target_info *info,
			struct vs_findings *out)
{
	struct parts parts = { .n = 0 };

	if (info->is_device) {
		find_parts(root, info, &parts);
		find_mounts(root, path, &parts, out);
		find_holders(root, path, &parts, out);
		find_contents(path, out);
	}
	find_swap(root, path, info, &parts, out);
}
