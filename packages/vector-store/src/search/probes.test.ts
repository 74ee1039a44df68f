import { describe, expect, it } from '@jest/globals';
import { ScopedFilter } from '#scope/scoped-filter';
import { probeLegs } from '#search/probes';
import type { RankRequest } from '#search/search-request';

describe('the probes of a search', () => {
  it.each([
    ['keyword', ['wordsInScope', 'strongest']],
    ['semantic', ['nearest']],
    ['hybrid', ['words', 'wordsInScope', 'nearest', 'strongest']],
  ] as const)('are those that mode %s needs', (mode, names) => {
    const words = { indices: [1], values: [1] };
    const parts = mode === 'semantic' ? [] : [1];
    const probes = { words, wordPassages: 10, wholeScope: true, parts };
    const request = { team: 'team_a', candidates: 10, sparse: words, dense: Float32Array.of(1), probes };
    const scope = ScopedFilter.within(request);
    const legs = probeLegs({ ...request, mode } satisfies RankRequest, { scope, filter: scope, isNarrowed: true });
    expect(legs.map(({ name }) => name)).toEqual(names);
  });
});
