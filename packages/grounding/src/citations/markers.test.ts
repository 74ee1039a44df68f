import { describe, expect, it } from '@jest/globals';
import { createCitationLedger } from '#citations/citation-ledger';
import { findMarkers, withoutMarkers } from '#citations/markers';

describe('citation markers', () => {
  it('are found with their offsets', () => {
    expect(findMarkers('Yes [1] and no [12].')).toEqual([
      { marker: 1, start: 4, end: 7 },
      { marker: 12, start: 15, end: 19 },
    ]);
  });

  it('are not links or reference labels', () => {
    expect(findMarkers('See [1](https://example.com) and\n[2]: https://example.com')).toEqual([]);
  });

  it('are not numbers in code or in cited text', () => {
    const text = 'Run `argv[2]` [1].\n\n```js\nprocess.argv[3];\n```\n\nThe river [4] is long. [1]';
    const cited = text.indexOf('The river');
    const place = { type: 'citation', marker: 1, sourceId: 'a', passageIndex: 0, quote: 'The river' } as const;
    const citation = { ...place, textStart: cited, textEnd: text.indexOf(' [1]', cited) };
    expect(findMarkers(text, [citation]).map(({ marker }) => marker)).toEqual([1, 1]);
    expect(withoutMarkers(text)).toBe('Run `argv[2]`.\n\n```js\nprocess.argv[3];\n```\n\nThe river is long.');
  });

  it('are removed together with the space before them', () => {
    expect(withoutMarkers('Yes. [1] No [2].')).toBe('Yes. No.');
  });
});

describe('the citation ledger', () => {
  it('numbers sources in order of first citation', () => {
    const ledger = createCitationLedger();
    expect(['b', 'a', 'b', 'c'].map((id) => ledger.markerOf(id))).toEqual([1, 2, 1, 3]);
  });
});
