import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * Runs a program where it may make hosts: in a user, network and mount namespace of its own, so that nothing is left of
 * them when it ends, however that is, and no rights are needed that a user does not have.
 */
export const WHERE_HOSTS_CAN_BE = [
  "unshare",
  "-r",
  "-n",
  "-m",
  "sh",
  "-c",
  'mount -t tmpfs tmpfs /run && exec "$@"',
  "sh",
];

/** Why there can be no hosts here; undefined where there can. */
export function noHostsHere(): string | undefined {
  if (process.platform !== "linux") return "network namespaces are Linux's";
  const tried = "ip netns add a && ip link add v0 type veth peer name v1 netns a";
  const [command, ...args] = [...WHERE_HOSTS_CAN_BE, "sh", "-c", tried];
  const { status } = spawnSync(command, args, { stdio: "ignore" });
  return status === 0 ? undefined : "network namespaces are not permitted here, or there is no ip (iproute2)";
}

/** A machine of its own as far as others can see: network, name, home. A cable leads from here to it. */
export class Host {
  readonly name: string;
  readonly home: string;
  /** This end of its cable, as it is reached from there. */
  readonly #gateway: string;
  readonly #cable: string;

  constructor(name: string, number: number, folder: string) {
    this.name = name;
    this.#gateway = `10.18.${number}.1`;
    this.home = join(folder, name);
    this.#cable = `to-${name}`;
    mkdirSync(this.home);
    ip("netns", "add", name);
    ip("link", "add", this.#cable, "type", "veth", "peer", "name", "eth0", "netns", name);
    ip("addr", "add", `${this.#gateway}/24`, "dev", this.#cable);
    ip("link", "set", this.#cable, "up");
    ip("-n", name, "addr", "add", `10.18.${number}.2/24`, "dev", "eth0");
    ip("-n", name, "link", "set", "eth0", "up");
    ip("-n", name, "link", "set", "lo", "up");
  }

  /** Before a command, so that it runs there. */
  get launcher(): readonly string[] {
    return ["ip", "netns", "exec", this.name, "unshare", "-u", "sh", "-c", 'hostname "$0" && exec "$@"', this.name];
  }

  /** What programs there find in their environment. */
  get environment(): NodeJS.ProcessEnv {
    return { HOME: this.home, COPPICE_TEST_CACHE: join(this.home, "cache") };
  }

  /** The address that a Redis here has there. */
  redis(port: number): string {
    return `redis://${this.#gateway}:${port}`;
  }

  cut(): void {
    ip("link", "set", this.#cable, "down");
  }

  heal(): void {
    ip("link", "set", this.#cable, "up");
  }

  /** Makes its cable slow, both ways: late and lossy where the kernel can do that, narrow everywhere. Returns how. */
  slow(): string {
    const ways = [
      ["netem", "delay", "40ms", "10ms", "loss", "1%"],
      ["tbf", "rate", "1mbit", "burst", "8kb", "latency", "200ms"],
    ];
    for (const way of ways) {
      const ends = [["tc"], ["ip", "netns", "exec", this.name, "tc"]];
      const devices = [this.#cable, "eth0"];
      const done = ends.every(([command, ...args], end) => {
        const all = [...args, "qdisc", "replace", "dev", devices[end], "root", ...way];
        return spawnSync(command, all, { stdio: "ignore" }).status === 0;
      });
      if (done) return way.join(" ");
    }
    throw new Error("the kernel has neither netem nor tbf");
  }
}

export function upHere(): void {
  ip("link", "set", "lo", "up");
}

function ip(...args: string[]): void {
  execFileSync("ip", args, { stdio: ["ignore", "ignore", "inherit"] });
}

/** The program that plays through a run on three hosts. */
export const PROGRAM = fileURLToPath(new URL("./hosts-program.ts", import.meta.url));
