import { badInput } from '../errors.ts';
import { evaluateFilter } from '../filter/evaluate.ts';
import { isLargerBetter, preprocessDense, type Vector } from '../model/vectors.ts';
import type { Bitmap } from '../storage/bitmap.ts';
import { reportedScore, scanDense } from './dense-scan.ts';
import type { SearchSource, VectorField } from './search-source.ts';
import { searchSparse } from './sparse-search.ts';
import { TopK } from './top-k.ts';
import type { Hit, QueryStage } from './types.ts';

type NearestStage = QueryStage & { query: { kind: 'nearest' } };

function fieldOf(source: SearchSource, name: string): VectorField {
  const field = source.vectorField(name);
  if (!field) throw badInput(`Not existing vector name error: ${name}`);
  return field;
}

function searchDense(
  field: VectorField & { kind: 'dense' },
  vector: Vector,
  stage: NearestStage,
  candidates: Bitmap,
  limit: number,
): Hit[] {
  const { block } = field;
  if (vector.kind !== 'dense') throw badInput('Wrong usage of sparse vectors');
  if (vector.values.length !== block.size)
    throw badInput(`Vector dimension error: expected dim: ${block.size}, got ${vector.values.length}`);
  const threshold = stage.scoreThreshold;
  const minScore =
    threshold === undefined ? Number.NEGATIVE_INFINITY : isLargerBetter(block.distance) ? threshold : -threshold;
  const top = new TopK(limit);
  scanDense(block, preprocessDense(block.distance, vector.values), candidates, top, minScore);
  return top.toSorted().map(({ offset, score }) => ({ offset, score: reportedScore(block.distance, score) }));
}

/**
 * Returns the candidates nearest to a vector, best first. The search is exact. Scores must be
 * better than the threshold.
 *
 * @throws QdrantError 400 for an unknown vector name or a wrong dimension, 404 for a missing
 * referenced point
 */
export function searchNearest(source: SearchSource, stage: NearestStage, candidates: Bitmap, limit: number): Hit[] {
  const field = fieldOf(source, stage.using);
  const vector = source.resolveInput(stage.query.input, stage.using, stage.lookup);
  if (field.kind === 'dense') return searchDense(field, vector, stage, candidates, limit);
  if (vector.kind !== 'sparse') throw badInput('Wrong usage of sparse vectors');
  const corpus = stage.idfCorpus ? evaluateFilter(source, stage.idfCorpus) : undefined;
  const top = new TopK(limit);
  const idf = field.idf ? ({ kind: 'idf', corpus } as const) : ({ kind: 'none' } as const);
  searchSparse(field.index, vector.sparse, idf, candidates, top, stage.scoreThreshold);
  return top.toSorted();
}
