import { between, type Random } from '#corpus/random';
import { chance, oddValue, pick, textValue } from '#fuzz-http/values';

const FIELDS = [
  'source',
  'connector',
  'collection',
  'author',
  'type',
  'updatedAt',
  'createdAt',
  'metadata.team',
  'metadata.rank',
] as const;
const OPERATORS = ['$eq', '$ne', '$in', '$nin', '$gt', '$gte', '$lt', '$lte', '$exists', '$not', '$like'] as const;

function scalar(random: Random): unknown {
  return pick<() => unknown>(random, [
    () => textValue(random, 600),
    () => between(random, -5, 5),
    () => '2026-01-01',
    () => true,
    () => null,
    () => oddValue(random),
  ])();
}

const fieldName = (random: Random): string =>
  chance(random, 0.2)
    ? `metadata.${pick(random, ['a', 'a.b', '__proto__', '🦊', 'x'.repeat(400)])}`
    : pick(random, FIELDS);

function condition(random: Random): unknown {
  if (chance(random, 0.4)) return scalar(random);
  const operator = pick(random, OPERATORS);
  const isList = operator === '$in' || operator === '$nin';
  return { [operator]: isList ? Array.from({ length: between(random, 0, 30) }, () => scalar(random)) : scalar(random) };
}

function tree(random: Random, depth: number): unknown {
  if (depth === 0 || chance(random, 0.3)) return { [fieldName(random)]: condition(random) };
  const inner = () => tree(random, depth - 1);
  if (chance(random, 0.2)) return { $not: inner() };
  return { [pick(random, ['$and', '$or'])]: Array.from({ length: between(random, 1, 4) }, inner) };
}

/** Filters at the limits and slightly beyond. */
function heavy(random: Random): unknown {
  const times = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));
  return pick<() => unknown>(random, [
    () => ({ $or: times(160, (at) => ({ 'metadata.rank': at })) }),
    () => ({ $and: times(120, (at) => ({ author: { $ne: `a${at}` } })) }),
    () => ({ $or: times(120, (at) => ({ $not: { source: `s${at}` } })) }),
    () => ({ $or: times(450, () => ({})) }),
    () => ({ $or: times(50_000, () => ({})) }),
    () => ({ 'metadata.team': { $in: times(1_000, (at) => `t${at}`) } }),
    () => ({ author: { $nin: times(1_000, (at) => `${at}`.repeat(40)) } }),
    () => ({ $and: times(between(random, 1, 40), (at) => ({ 'metadata.rank': { $gte: at } })) }),
    () => Object.fromEntries(times(19, (at) => [`metadata.f${at}`, { $gt: at }])),
    () => Object.fromEntries(times(240, (at) => [`metadata.f${at}`, { $exists: true }])),
    () => Object.fromEntries(times(700, (at) => [`unknown${at}`, at])),
    () => times(10, (at) => at).reduce<unknown>((value) => ({ $not: value }), { source: 'api' }),
    () => ({ updatedAt: { $gte: '2000-01-01', $lt: '2100-01-01', $ne: '2026-01-01' } }),
  ])();
}

/** Search filters: valid, expensive and invalid ones. */
export function filterValue(random: Random): unknown {
  if (chance(random, 0.4)) return heavy(random);
  return chance(random, 0.1) ? oddValue(random) : tree(random, between(random, 1, 6));
}
