import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { cpuQuota } from "./cgroup.ts";

const quotaWith = (files: Readonly<Record<string, string>>) => cpuQuota((path) => files[path]);

describe("the CPU quota of a container", () => {
  it("is none without control groups, or without a limit in them", () => {
    assert.equal(quotaWith({}), undefined);
    assert.equal(quotaWith({ "/proc/self/cgroup": "0::/\n", "/sys/fs/cgroup/cpu.max": "max 100000\n" }), undefined);
    assert.equal(quotaWith({ "/proc/self/cgroup": "rubbish\n", "/sys/fs/cgroup/cpu.max": "1 100000\n" }), undefined);
    const none = { "/sys/fs/cgroup/cpu/cpu.cfs_quota_us": "-1\n", "/sys/fs/cgroup/cpu/cpu.cfs_period_us": "100000\n" };
    assert.equal(quotaWith({ "/proc/self/cgroup": "3:cpu:/\n", ...none }), undefined);
  });

  it("is the strictest of all groups above the process, in version 2", () => {
    const files = {
      "/proc/self/cgroup": "0::/a/b\n",
      "/sys/fs/cgroup/a/b/cpu.max": "max 100000\n",
      "/sys/fs/cgroup/a/cpu.max": "150000 100000\n",
      "/sys/fs/cgroup/cpu.max": "400000 100000\n",
    };
    assert.equal(quotaWith(files), 1.5);
  });

  it("is found in version 1 by the group's path, or at the root that a container sees", () => {
    const at = (folder: string) => ({
      "/proc/self/cgroup": "5:memory:/x\n2:cpu,cpuacct:/docker/1\n",
      [`${folder}/cpu.cfs_quota_us`]: "200000\n",
      [`${folder}/cpu.cfs_period_us`]: "100000\n",
    });
    assert.equal(quotaWith(at("/sys/fs/cgroup/cpu,cpuacct/docker/1")), 2);
    assert.equal(quotaWith(at("/sys/fs/cgroup/cpu")), 2);
    assert.equal(quotaWith(at("/sys/fs/cgroup/memory")), undefined);
  });
});
