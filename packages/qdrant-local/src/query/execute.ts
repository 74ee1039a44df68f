import { badInput } from '../errors.ts';
import { evaluateFilter, evaluateOne } from '../filter/evaluate.ts';
import { bothFilters, type Condition, type Filter } from '../filter/types.ts';
import type { PointId } from '../model/point-id.ts';
import { Bitmap } from '../storage/bitmap.ts';
import { evaluateFormula } from './formula.ts';
import { fuseByDistribution, fuseByRank } from './fusion.ts';
import { idsInOrder } from './ids-in-order.ts';
import { searchNearest } from './nearest.ts';
import { orderCandidates } from './order-by.ts';
import type { SearchSource } from './search-source.ts';
import type { Formula, Hit, QueryStage, VectorExample, VectorInput } from './types.ts';

type Lists = readonly (readonly Hit[])[];

function isNearest(stage: QueryStage): stage is QueryStage & { query: { kind: 'nearest' } } {
  return stage.query?.kind === 'nearest';
}

function examplesOf(input: VectorInput): readonly VectorExample[] {
  return input.kind === 'average' ? [...input.positive, ...input.negative] : [input];
}

/** Returns the points that a query references by id. Qdrant omits them from the result. */
function referencedIds(source: SearchSource, stage: QueryStage): PointId[] {
  const isOwn = isNearest(stage) && source.isOwnLookup(stage.lookup);
  const own = isOwn
    ? examplesOf(stage.query.input).flatMap((example) => (example.kind === 'point' ? example.id : []))
    : [];
  return [...own, ...stage.prefetch.flatMap((inner) => referencedIds(source, inner))];
}

function byId(source: SearchSource, candidates: Bitmap, limit: number): Hit[] {
  const hits: Hit[] = [];
  for (const id of idsInOrder(source, candidates)) {
    const offset = source.offsetOf(id);
    if (offset !== undefined && candidates.has(offset)) hits.push({ offset, score: 1, unversioned: true });
    if (hits.length === limit) break;
  }
  return hits;
}

// A Fisher–Yates shuffle of the first `limit` elements.
function sample(candidates: Bitmap, limit: number): Hit[] {
  const offsets = candidates.toArray();
  const count = Math.min(limit, offsets.length);
  for (let i = 0; i < count; i++) {
    const j = i + Math.floor(Math.random() * (offsets.length - i));
    const chosen = offsets[j] ?? 0;
    offsets[j] = offsets[i] ?? 0;
    offsets[i] = chosen;
  }
  return [...offsets.subarray(0, count)].map((offset) => ({ offset, score: 1, unversioned: true }));
}

function scoreByFormula(source: SearchSource, formula: Formula, lists: Lists, threshold: number | undefined): Hit[] {
  const scores = lists.map((list) => new Map(list.map((hit) => [hit.offset, hit.score])));
  const candidates = offsetsOf(lists);
  // Evaluates each condition of the formula once for all candidates.
  const holding = new Map<Condition, Bitmap>();
  const pointsHolding = (condition: Condition): Bitmap => {
    const known = holding.get(condition) ?? evaluateOne(source, condition, candidates);
    holding.set(condition, known);
    return known;
  };
  const hits: Hit[] = [];
  candidates.forEach((offset) => {
    const score = evaluateFormula(formula, {
      payload: source.payloadAt(offset),
      scoreOf: (prefetch) => scores[prefetch]?.get(offset),
      holds: (condition) => pointsHolding(condition).has(offset),
    });
    if (threshold === undefined || score >= threshold) hits.push({ offset, score });
  });
  return hits.sort((a, b) => b.score - a.score);
}

function offsetsOf(lists: Lists): Bitmap {
  return Bitmap.of(lists.flatMap((list) => list.map((hit) => hit.offset)));
}

function fuse(stage: QueryStage, lists: Lists): Hit[] {
  const fused =
    stage.query?.kind === 'rrf' ? fuseByRank(lists, stage.query.k, stage.query.weights) : fuseByDistribution(lists);
  const { scoreThreshold } = stage;
  return scoreThreshold === undefined ? fused : fused.filter((hit) => hit.score >= scoreThreshold);
}

function runLeaf(source: SearchSource, stage: QueryStage, filter: Filter | undefined, limit: number): Hit[] {
  if (stage.query?.kind === 'rrf' || stage.query?.kind === 'dbsf')
    throw badInput('Validation failed: cannot apply Fusion without prefetches');
  if (stage.query?.kind === 'formula') throw badInput('Validation failed: cannot apply Formula without prefetches');
  const candidates = evaluateFilter(source, filter);
  if (isNearest(stage)) return searchNearest(source, stage, candidates, limit);
  if (stage.query?.kind === 'orderBy') return orderCandidates(source, stage.query.orderBy, candidates, limit);
  return stage.query ? sample(candidates, limit) : byId(source, candidates, limit);
}

function runStage(source: SearchSource, stage: QueryStage, outer: Filter | undefined, limit: number): Hit[] {
  // A stage's filter applies to everything below it. If there are prefetches, their leaves apply
  // it.
  const filter = bothFilters(outer, stage.filter);
  if (stage.prefetch.length === 0) return runLeaf(source, stage, filter, limit);
  const lists = stage.prefetch.map((inner) => runStage(source, inner, filter, inner.limit));
  if (stage.query?.kind === 'rrf' || stage.query?.kind === 'dbsf') return fuse(stage, lists).slice(0, limit);
  if (stage.query?.kind === 'formula')
    return scoreByFormula(source, stage.query.formula, lists, stage.scoreThreshold).slice(0, limit);
  const candidates = offsetsOf(lists);
  if (isNearest(stage)) return searchNearest(source, stage, candidates, limit);
  if (stage.query?.kind === 'orderBy') return orderCandidates(source, stage.query.orderBy, candidates, limit);
  return sample(candidates, limit);
}

/** Executes all stages of a query and applies the offset. @throws QdrantError 400 or 404 */
export function executeQuery(source: SearchSource, root: QueryStage, offset = 0): readonly Hit[] {
  const referenced = referencedIds(source, root);
  const filter: Filter | undefined =
    referenced.length > 0 ? { mustNot: [{ kind: 'hasId', ids: referenced }] } : undefined;
  const skipped = root.query?.kind === 'sample' && root.prefetch.length === 0 ? 0 : offset;
  return runStage(source, root, filter, root.limit + skipped).slice(skipped);
}
