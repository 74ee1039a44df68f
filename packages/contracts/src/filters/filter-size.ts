/**
 * The limits for a search's filters. Nodes are objects, lists and property names; values are those
 * that fields are compared with.
 */
export const FILTER_LIMITS = { depth: 10, nodes: 500, values: 1_000, nameLength: 500, ranges: 20 } as const;

interface Count {
  nodes: number;
  values: number;
}

/**
 * Returns what is wrong with the size of filters, as a phrase that follows the field's name;
 * undefined if the size is valid. Every node counts, including an empty object: each becomes a
 * condition that is evaluated for every document. Stops at the first limit exceeded.
 */
export function filterSizeFault(filters: unknown): string | undefined {
  return countIn(filters, { nodes: 0, values: 0 });
}

function countIn(value: unknown, count: Count): string | undefined {
  if (typeof value !== 'object' || value === null) {
    count.values += 1;
    return count.values > FILTER_LIMITS.values ? `must compare with at most ${FILTER_LIMITS.values} values` : undefined;
  }
  count.nodes += 1;
  if (Array.isArray(value)) return firstFault(value, count);
  const names = Object.keys(value);
  count.nodes += names.length;
  if (names.some((name) => name.length > FILTER_LIMITS.nameLength)) {
    return `must not have names of more than ${FILTER_LIMITS.nameLength} characters`;
  }
  return firstFault(Object.values(value), count);
}

function firstFault(values: readonly unknown[], count: Count): string | undefined {
  if (count.nodes > FILTER_LIMITS.nodes)
    return `must have at most ${FILTER_LIMITS.nodes} conditions, groups and operators`;
  for (const value of values) {
    const fault = countIn(value, count);
    if (fault !== undefined) return fault;
  }
  return undefined;
}
