import type { ScopedFilter } from '#scope/scoped-filter';
import { keywordLegs, type Leg, semanticLegs } from '#search/legs';
import type { BatchLeg, Ranking } from '#search/run-legs';
import type { Probes, RankRequest } from '#search/search-request';

export type ProbeName = 'words' | 'wordsInScope' | 'nearest' | 'strongest';

const NAMES: readonly string[] = ['words', 'wordsInScope', 'nearest', 'strongest'] satisfies ProbeName[];

type AnyRanking = Ranking<Leg['name'] | ProbeName>;

export const isProbe = (ranking: AnyRanking): ranking is Ranking<ProbeName> => NAMES.includes(ranking.name);
export const isLeg = (ranking: AnyRanking): ranking is Ranking => !isProbe(ranking);

/** The scope, and the scope with the request's filters. */
export interface Filters {
  readonly scope: ScopedFilter;
  readonly filter: ScopedFilter;
  /** Whether the two differ. */
  readonly isNarrowed: boolean;
}

/**
 * Returns the probes of a search: they show what matches, do not affect the order, and run in the
 * same request as the legs. A probe that would repeat a leg is left out.
 */
export function probeLegs(request: RankRequest, { scope, filter, isNarrowed }: Filters): BatchLeg<ProbeName>[] {
  const { probes, candidates } = request;
  if (probes === undefined) return [];
  const named = (name: ProbeName, limit: number, legs: readonly Leg[]): BatchLeg<ProbeName>[] =>
    legs.map((leg) => ({ ...leg, name, limit }));
  const wordLegs = (name: ProbeName, within: ScopedFilter) =>
    named(name, probes.wordPassages, keywordLegs(probes.words, within, scope));
  return [
    ...(request.mode === 'hybrid' ? wordLegs('words', filter) : []),
    ...(request.mode !== 'semantic' && probes.wholeScope && isNarrowed ? wordLegs('wordsInScope', scope) : []),
    ...(request.mode !== 'keyword' && isNarrowed
      ? named('nearest', candidates, semanticLegs(request.dense, scope))
      : []),
    ...probes.parts.flatMap((part) =>
      named('strongest', 1, keywordLegs({ indices: [part], values: [1] }, scope, scope)),
    ),
  ];
}

/** Returns the results of the probes, taken from the legs where a probe was left out. */
export function readProbes(
  request: RankRequest,
  { isNarrowed }: Filters,
  legs: readonly Ranking[],
  probes: readonly Ranking<ProbeName>[],
): Probes {
  const of = (name: ProbeName) => probes.filter((probe) => probe.name === name);
  const wordRanking = request.mode === 'keyword' ? legs.find(({ name }) => name === 'keyword') : of('words')[0];
  const words = wordRanking?.passages ?? [];
  return {
    words,
    areWordsCutOff: wordRanking?.isCutOff ?? false,
    wordsInScope: isNarrowed ? (of('wordsInScope')[0]?.passages ?? []) : words,
    documents: legs.filter(({ name }) => name === 'document').flatMap(({ passages }) => passages.map(({ key }) => key)),
    nearest: isNarrowed ? of('nearest') : legs.filter(({ name }) => name === 'semantic'),
    strongest: of('strongest').map(({ passages }) => passages[0]?.score ?? 0),
  };
}
