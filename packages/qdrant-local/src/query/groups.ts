import type { Condition, Filter } from '../filter/types.ts';
import { flatValuesAt, type JsonPath, topKeyOf } from '../json/path.ts';
import type { JsonObject } from '../json/types.ts';
import { executeQuery } from './execute.ts';
import type { SearchSource } from './search-source.ts';
import type { Hit, QueryStage } from './types.ts';

/** The value that the hits of a group share. */
export type GroupId = string | number;

/** A group with its best hits, best first. */
export interface HitGroup {
  readonly id: GroupId;
  readonly hits: readonly Hit[];
}

/** Grouping options. */
export interface GroupOptions {
  readonly path: JsonPath;
  /** The maximum number of groups. */
  readonly limit: number;
  /** The maximum number of hits per group. */
  readonly size: number;
  /** False if a smaller score is better (Euclid, Manhattan). */
  readonly largerBetter: boolean;
}

// As in Qdrant: the maximum numbers of requests to find groups and to fill the best of them.
const maxFindRequests = 5;
const maxFillRequests = 5;

function isGroupId(value: unknown): value is GroupId {
  return typeof value === 'string' || (typeof value === 'number' && Number.isInteger(value));
}

/**
 * Collects hits by group, like Qdrant's aggregator: a point with several values belongs to several
 * groups.
 */
class Aggregator {
  readonly #options: GroupOptions;
  readonly #groups = new Map<GroupId, Map<number, Hit>>();
  readonly #payloadAt: (offset: number) => JsonObject;
  readonly seen = new Set<number>();

  constructor(source: SearchSource, options: GroupOptions) {
    this.#options = options;
    this.#payloadAt = source.fieldReader(topKeyOf(options.path));
  }

  add(hit: Hit): void {
    const values = flatValuesAt(this.#options.path, this.#payloadAt(hit.offset));
    // Like Qdrant, ignores points with a value that cannot be a group id.
    if (!values.every(isGroupId)) return;
    for (const id of new Set(values)) {
      const hits = this.#groups.get(id) ?? new Map<number, Hit>();
      this.#groups.set(id, hits);
      if (!hits.has(hit.offset)) hits.set(hit.offset, hit);
      this.seen.add(hit.offset);
    }
  }

  full(): GroupId[] {
    return [...this.#groups].filter(([, hits]) => hits.size >= this.#options.size).map(([id]) => id);
  }

  best(): HitGroup[] {
    const sign = this.#options.largerBetter ? -1 : 1;
    const groups = [...this.#groups].map(([id, hits]) => ({
      id,
      hits: [...hits.values()].sort((a, b) => sign * (a.score - b.score)).slice(0, this.#options.size),
    }));
    return groups
      .sort((a, b) => sign * ((a.hits[0]?.score ?? 0) - (b.hits[0]?.score ?? 0)))
      .slice(0, this.#options.limit);
  }

  unfilledBest(): GroupId[] {
    return this.best()
      .filter((group) => group.hits.length < this.#options.size)
      .map((group) => group.id);
  }

  isComplete(): boolean {
    const best = this.best();
    return best.length >= this.#options.limit && this.unfilledBest().length === 0;
  }
}

function matchConditions(path: JsonPath, ids: readonly GroupId[], kind: 'any' | 'except'): Condition[] {
  const conditions: Condition[] = [];
  for (const type of ['number', 'string'] as const) {
    const values = new Set(ids.filter((id) => typeof id === type));
    if (values.size === 0) continue;
    const match = kind === 'any' ? ({ kind, values } as const) : ({ kind, values, of: type } as const);
    conditions.push({ kind: 'field', path, match });
  }
  return conditions;
}

function widenPrefetch(stage: QueryStage, factor: number): QueryStage {
  return {
    ...stage,
    limit: stage.limit * factor,
    prefetch: stage.prefetch.map((inner) => widenPrefetch(inner, factor)),
  };
}

function request(source: SearchSource, root: QueryStage, options: GroupOptions, extra: Filter): readonly Hit[] {
  const filter: Filter = {
    must: [
      { kind: 'filter', filter: { mustNot: [{ kind: 'isEmpty', path: options.path }] } },
      { kind: 'filter', filter: extra },
      ...(root.filter ? [{ kind: 'filter', filter: root.filter } as const] : []),
    ],
  };
  return executeQuery(source, {
    ...root,
    filter,
    limit: options.limit * options.size,
    prefetch: root.prefetch.map((stage) => widenPrefetch(stage, options.limit)),
  });
}

function without(source: SearchSource, seen: ReadonlySet<number>): Condition[] {
  if (seen.size === 0) return [];
  return [{ kind: 'hasId', ids: [...seen].map((offset) => source.idAt(offset)) }];
}

/**
 * Returns the best groups of a query's hits, ranked by best hit. Repeats narrowed requests like
 * Qdrant.
 */
export function queryGroups(source: SearchSource, root: QueryStage, options: GroupOptions): readonly HitGroup[] {
  const groups = new Aggregator(source, options);
  const collect = (filter: Filter): boolean => {
    const hits = request(source, root, options, filter);
    for (const hit of hits) groups.add(hit);
    return hits.length > 0 && !groups.isComplete();
  };
  for (let i = 0; i < maxFindRequests; i++) {
    const must = matchConditions(options.path, groups.full(), 'except');
    if (!collect({ must, mustNot: without(source, groups.seen) })) break;
  }
  for (let i = 0; i < maxFillRequests && !groups.isComplete(); i++) {
    const must = matchConditions(options.path, groups.unfilledBest(), 'any');
    if (must.length === 0 || !collect({ must, mustNot: without(source, groups.seen) })) break;
  }
  return groups.best();
}
