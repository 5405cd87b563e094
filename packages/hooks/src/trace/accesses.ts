/** What a hook and everything it started did to files and hosts, by absolute path. */
export interface Accesses {
  /** Files whose content, presence or size was looked at. */
  readonly reads: Set<string>;
  /** Looked for and not there: matters only if someone else makes them. */
  readonly misses: Set<string>;
  readonly writes: Set<string>;
  /** Directories whose entries were listed. */
  readonly listed: Set<string>;
  /** Opened so that they are made if absent: their own if they are gone afterwards. */
  readonly made: Set<string>;
  readonly executed: Set<string>;
  /** Addresses that were connected to. */
  readonly hosts: Set<string>;
}

export function noAccesses(): Accesses {
  return {
    reads: new Set(),
    misses: new Set(),
    writes: new Set(),
    listed: new Set(),
    made: new Set(),
    executed: new Set(),
    hosts: new Set(),
  };
}
