/** Returns the depth of a JSON value, counted up to `max` + 1. Does not recurse. */
export function jsonDepth(value: unknown, max: number): number {
  let level: unknown[] = [value];
  for (let depth = 0; depth <= max; depth += 1) {
    level = level.flatMap((item) => (typeof item === 'object' && item !== null ? Object.values(item) : []));
    if (level.length === 0) return depth;
  }
  return max + 1;
}

/** Returns why a JSON value is too large, or undefined. */
export function sizeProblem(value: unknown, { bytes, depth }: { bytes: number; depth: number }): string | undefined {
  if (jsonDepth(value, depth) > depth) return `is nested more than ${depth} levels deep`;
  if (Buffer.byteLength(JSON.stringify(value) ?? '') > bytes) return `is larger than ${bytes / 1024} KiB`;
  return undefined;
}
