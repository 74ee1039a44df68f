import type { EvalResult, ModeResult, QueryResult } from '#eval/eval-result';
import type { Mode } from '#eval/modes';

/** Smaller differences of nDCG are rounding noise. */
const EPSILON = 1e-9;

/** nDCG@10 of one query before and now. */
export interface Change {
  readonly id: string;
  readonly before: number;
  readonly now: number;
}

/** The comparison of one mode, over the queries of both runs. */
export interface Comparison {
  readonly mode: Mode;
  readonly shared: number;
  readonly ndcg10: Change;
  readonly recall100: Change;
  readonly mrr10: Change;
  /** Changed queries, largest change first. */
  readonly better: readonly Change[];
  readonly worse: readonly Change[];
}

/** Compares two runs by mode, over the queries of both runs. Skips modes without common queries. */
export function compareRuns(before: EvalResult, now: EvalResult): readonly Comparison[] {
  return now.modes.flatMap((mode) => {
    const earlier = before.modes.find((other) => other.mode === mode.mode);
    const comparison = earlier && compareModes(earlier, mode);
    return comparison && comparison.shared > 0 ? [comparison] : [];
  });
}

function compareModes(before: ModeResult, now: ModeResult): Comparison {
  const earlier = new Map(before.queries.map((query) => [query.id, query]));
  const pairs = now.queries.flatMap((query) => {
    const other = earlier.get(query.id);
    return other ? [{ before: other, now: query }] : [];
  });
  const change = (name: 'ndcg10' | 'recall100' | 'mrr10'): Change => {
    const mean = (side: 'before' | 'now') => pairs.reduce((sum, pair) => sum + pair[side][name], 0) / pairs.length;
    return { id: name, before: mean('before'), now: mean('now') };
  };
  const changes = pairs.map(toChange).toSorted((a, b) => Math.abs(b.now - b.before) - Math.abs(a.now - a.before));
  return {
    mode: now.mode,
    shared: pairs.length,
    ndcg10: change('ndcg10'),
    recall100: change('recall100'),
    mrr10: change('mrr10'),
    better: changes.filter((change) => change.now - change.before > EPSILON),
    worse: changes.filter((change) => change.before - change.now > EPSILON),
  };
}

function toChange({ before, now }: { readonly before: QueryResult; readonly now: QueryResult }): Change {
  return { id: now.id, before: before.ndcg10, now: now.ndcg10 };
}
