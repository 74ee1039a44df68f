/** A process in the output of `ps`. */
export interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  readonly rssBytes: number;
}

/** Parses the output of `ps -A -o pid=,ppid=,rss=`. rss is in KiB. */
export function parseProcessTable(text: string): ProcessRow[] {
  return text.split('\n').flatMap((line) => {
    const [pid, parent, rss] = line.trim().split(/\s+/).map(Number);
    return pid === undefined || parent === undefined || rss === undefined
      ? []
      : [{ pid, parent, rssBytes: rss * 1024 }];
  });
}

/** Returns a process and its descendants. */
export function descendants(table: readonly ProcessRow[], root: number): ProcessRow[] {
  const family = new Set([root]);
  for (let before = 0; before !== family.size; ) {
    before = family.size;
    for (const { pid, parent } of table) if (family.has(parent)) family.add(pid);
  }
  return table.filter(({ pid }) => family.has(pid));
}
