import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type LocalServer, startLocalServer } from './support/local-server.ts';

// A model of Qdrant's filters, independent of the server: recursion over payloads.

type Payload = Record<string, unknown>;
type Point = { id: number; payload: Payload; vector: { v?: number[] } };

interface FilterModel {
  must?: ConditionModel | ConditionModel[];
  must_not?: ConditionModel | ConditionModel[];
  should?: ConditionModel | ConditionModel[];
  min_should?: { conditions: ConditionModel[]; min_count: number };
}

interface ConditionModel extends FilterModel {
  has_id?: (number | undefined)[];
  has_vector?: string;
  is_empty?: { key: string };
  is_null?: { key: string };
  nested?: { key: string; filter: FilterModel };
  key?: string;
  match?: { value?: unknown; any?: unknown[]; except?: unknown[] };
  range?: Record<string, number | string>;
  values_count?: Record<string, number>;
}

interface PointModel {
  id?: number;
  payload: Payload;
  vector?: object;
}

const missing = Symbol('missing');

function at(payload: Payload, key: string): unknown[] {
  const steps = key.split('.').flatMap((step) => (step.endsWith('[]') ? [step.slice(0, -2), '[]'] : [step]));
  let found: unknown[] = [payload];
  for (const step of steps)
    found = found
      .flatMap((value): unknown[] => {
        if (step === '[]') return Array.isArray(value) ? value : [missing];
        if (typeof value !== 'object' || value === null || Array.isArray(value)) return [missing];
        return [Object.hasOwn(value, step) ? (value as Payload)[step] : missing];
      })
      .filter((value) => value !== missing);
  return found;
}

const flat = (values: unknown[]): unknown[] => values.flatMap((value) => (Array.isArray(value) ? value : [value]));

function within(bounds: Record<string, number>, value: number): boolean {
  const { gt = -Infinity, gte = -Infinity, lt = Infinity, lte = Infinity } = bounds;
  return value > gt && value >= gte && value < lt && value <= lte;
}

function holds(condition: ConditionModel, point: PointModel): boolean {
  const { nested, key, match, range, values_count: count } = condition;
  if (condition.has_id) return condition.has_id.includes(point.id);
  if (condition.has_vector) return condition.has_vector in (point.vector ?? {});
  if (condition.is_empty)
    return at(point.payload, condition.is_empty.key).every((v) => v === null || (Array.isArray(v) && v.length === 0));
  if (condition.is_null) return at(point.payload, condition.is_null.key).includes(null);
  if (nested)
    return at(point.payload, `${nested.key}[]`).some(
      (v) =>
        typeof v === 'object' && v !== null && !Array.isArray(v) && passes(nested.filter, { payload: v as Payload }),
    );
  if (!key) return passes(condition, point);
  const values = at(point.payload, key);
  if (count) return values.some((v) => within(count, v === null ? 0 : Array.isArray(v) ? v.length : 1));
  if (match && 'value' in match) return flat(values).includes(match.value);
  const { any, except } = match ?? {};
  if (any) return flat(values).some((v) => any.includes(v));
  // Only values of the listed type count. The index decides about other types.
  if (except) return flat(values).some((v) => typeof v === typeof except[0] && !except.includes(v));
  const isDate = Object.values(range ?? {}).some((bound) => typeof bound === 'string');
  const bounds = Object.fromEntries(
    Object.entries(range ?? {}).map(([name, bound]) => [name, isDate ? Date.parse(String(bound)) : Number(bound)]),
  );
  if (isDate) return flat(values).some((v) => typeof v === 'string' && within(bounds, Date.parse(v)));
  return flat(values).some((v) => typeof v === 'number' && within(bounds, v));
}

function passes(filter: FilterModel, point: PointModel): boolean {
  const list = (clause: FilterModel['must']): ConditionModel[] => (clause === undefined ? [] : [clause].flat());
  const ok = (condition: ConditionModel): boolean => holds(condition, point);
  return (
    list(filter.must).every(ok) &&
    !list(filter.must_not).some(ok) &&
    (list(filter.should).length === 0 || list(filter.should).some(ok)) &&
    (!filter.min_should || filter.min_should.conditions.filter(ok).length >= filter.min_should.min_count)
  );
}

function before(left: unknown, right: unknown): boolean {
  return typeof left === 'number' && typeof right === 'number' ? left < right : String(left) < String(right);
}

const words = ['red', 'green', 'blue', 'gray'];
const dates = ['2024-01-01T00:00:00Z', '2024-02-01T12:00:00+02:00', '2024-03-01', '2023-12-31T23:59:59.5Z'];
const word = fc.constantFrom(...words);
const small = fc.integer({ min: -3, max: 5 });
const oneOrSeveral = <T>(value: fc.Arbitrary<T>) => fc.oneof(value, fc.array(value, { maxLength: 3 }));

const payload = fc.record(
  {
    color: fc.oneof({ weight: 5, arbitrary: oneOrSeveral(word) }, fc.constant(null)),
    size: oneOrSeveral(small),
    weight: oneOrSeveral(fc.constantFrom(-1.5, 0, 0.5, 2, 2.25)),
    flag: oneOrSeveral(fc.boolean()),
    at: oneOrSeveral(fc.constantFrom(...dates)),
    o: fc.record({ color: word, size: small }, { requiredKeys: [] }),
    list: fc.array(fc.record({ color: word, size: small }, { requiredKeys: [] }), { maxLength: 3 }),
  },
  { requiredKeys: [] },
);

const colorKey = fc.constantFrom('color', 'o.color', 'list[].color', 'color[]');
const sizeKey = fc.constantFrom('size', 'o.size', 'list[].size');
const anyKey = fc.constantFrom('color', 'size', 'o', 'o.color', 'list', 'list[].size', 'none', 'at');
const bounds = (value: fc.Arbitrary<number | string>) =>
  fc
    .record({ gt: value, gte: value, lt: value, lte: value }, { requiredKeys: [] })
    .filter((range) => Object.keys(range).length > 0);

const flatCondition = fc.oneof(
  fc.record({ key: colorKey, match: fc.record({ value: word }) }),
  fc.record({ key: colorKey, match: fc.record({ any: fc.array(word, { minLength: 1, maxLength: 3 }) }) }),
  fc.record({ key: colorKey, match: fc.record({ except: fc.array(word, { minLength: 1, maxLength: 3 }) }) }),
  fc.record({ key: sizeKey, match: fc.record({ value: small }) }),
  fc.record({ key: sizeKey, match: fc.record({ except: fc.array(small, { minLength: 1, maxLength: 3 }) }) }),
  fc.record({ key: fc.constant('flag'), match: fc.record({ value: fc.boolean() }) }),
  fc.record({ key: fc.oneof(sizeKey, fc.constant('weight')), range: bounds(small) }),
  fc.record({ key: fc.constant('at'), range: bounds(fc.constantFrom(...dates)) }),
  fc.record({ key: anyKey, values_count: bounds(fc.integer({ min: 0, max: 3 })) }),
  fc.record({ is_empty: fc.record({ key: anyKey }) }),
  fc.record({ is_null: fc.record({ key: anyKey }) }),
  fc.record({ has_id: fc.array(fc.integer({ min: 0, max: 130 }), { maxLength: 40 }) }),
  fc.constant({ has_vector: 'v' }),
);

const nested = fc.record({
  nested: fc.record({
    key: fc.constant('list'),
    filter: fc.record(
      {
        must: fc.array(fc.record({ key: fc.constant('color'), match: fc.record({ value: word }) }), { maxLength: 1 }),
        must_not: fc.array(fc.record({ key: fc.constant('size'), range: bounds(small) }), { maxLength: 1 }),
      },
      { requiredKeys: [] },
    ),
  }),
});

const { filter } = fc.letrec((tie) => ({
  condition: fc.oneof({ depthSize: 'small', withCrossShrink: true }, flatCondition, nested, tie('filter')),
  filter: fc.record(
    {
      must: fc.oneof(fc.array(tie('condition'), { maxLength: 3 }), flatCondition),
      must_not: fc.array(tie('condition'), { maxLength: 2 }),
      should: fc.array(tie('condition'), { maxLength: 3 }),
      min_should: fc.record({
        conditions: fc.array(flatCondition, { minLength: 2, maxLength: 4 }),
        min_count: fc.integer({ min: 1, max: 3 }),
      }),
    },
    { requiredKeys: [] },
  ),
}));

describe('filters', () => {
  let server: LocalServer;
  let points: Point[];

  beforeAll(async () => {
    server = await startLocalServer();
    points = fc.sample(payload, { numRuns: 120, seed: 7 }).map((sampled, id) => ({
      id,
      payload: JSON.parse(JSON.stringify(sampled)),
      vector: id % 3 === 0 ? {} : { v: [id] },
    }));
    for (const name of ['indexed', 'plain']) {
      await server.client.createCollection(name, { vectors: { v: { size: 1, distance: 'Dot' } } });
      // Every point has another state first, so that the indexes must remove values.
      const others = points.map((point, i) => ({ ...point, payload: points[(i + 1) % points.length]!.payload }));
      if (name === 'indexed')
        for (const [field, schema] of [
          ['color', 'keyword'],
          ['o.color', 'keyword'],
          ['list[].color', 'keyword'],
          ['size', 'integer'],
          ['list[].size', 'integer'],
          ['weight', 'float'],
          ['flag', 'bool'],
          ['at', 'datetime'],
        ] as const)
          await server.client.createPayloadIndex(name, { field_name: field, field_schema: schema, wait: true });
      await server.client.upsert(name, { points: others });
      await server.client.upsert(name, { points });
    }
  });

  afterAll(() => server.stop());

  it('match the same points as a direct implementation of Qdrant’s rules, with and without indexes', async () => {
    await fc.assert(
      fc.asyncProperty(filter, async (sampled) => {
        const request = JSON.parse(JSON.stringify(sampled));
        const expected = points.filter((point) => passes(request, point)).map((point) => point.id);
        for (const name of ['indexed', 'plain']) {
          const page = await server.client.scroll(name, { filter: request, limit: 1000, with_payload: false });
          expect(page.points.map((point) => point.id)).toEqual(expected);
          expect(await server.client.count(name, { filter: request })).toEqual({ count: expected.length });
        }
      }),
      { numRuns: 150 },
    );
  });

  it('limit facets, which count points', async () => {
    await fc.assert(
      fc.asyncProperty(filter, fc.constantFrom('color', 'size', 'flag', 'list[].color'), async (sampled, key) => {
        const request = JSON.parse(JSON.stringify(sampled));
        const counts = new Map<unknown, number>();
        for (const point of points.filter((each) => passes(request, each)))
          for (const value of new Set(flat(at(point.payload, key))))
            if (value !== null) counts.set(value, (counts.get(value) ?? 0) + 1);
        const expected = [...counts]
          .map(([value, count]) => ({ value, count }))
          .sort((a, b) => b.count - a.count || (a.value === b.value ? 0 : before(a.value, b.value) ? -1 : 1));
        const { hits } = await server.client.facet('indexed', { key, filter: request, limit: 100 });
        expect(hits).toEqual(expected);
      }),
      { numRuns: 60 },
    );
  });

  it('limit ordered results, in which a point appears once for each value, with ties by id', async () => {
    const order = fc.record({
      key: fc.constantFrom('size', 'weight', 'at'),
      direction: fc.constantFrom('asc' as const, 'desc' as const),
    });
    await fc.assert(
      fc.asyncProperty(
        filter,
        order,
        fc.option(small, { nil: undefined }),
        async (sampled, { key, direction }, from) => {
          const request = JSON.parse(JSON.stringify(sampled));
          const sign = direction === 'asc' ? 1 : -1;
          const startFrom = key === 'at' ? undefined : from;
          const expected = points
            .filter((point) => passes(request, point))
            .flatMap((point) =>
              flat(at(point.payload, key)).map((value) => ({
                id: point.id,
                value: typeof value === 'string' ? Date.parse(value) * 1000 : Number(value),
              })),
            )
            .filter(({ value }) => startFrom === undefined || sign * (value - startFrom) >= 0)
            .sort((a, b) => sign * (a.value - b.value || a.id - b.id))
            .slice(0, 25);
          const page = await server.client.scroll('indexed', {
            filter: request,
            order_by: { key, direction, ...(startFrom !== undefined && { start_from: startFrom }) },
            limit: 25,
            with_payload: false,
          });
          expect(page.points).toEqual(expected.map(({ id, value }) => ({ id, order_value: value })));
          expect(page.next_page_offset).toBeNull();
        },
      ),
      { numRuns: 60 },
    );
  });
});
