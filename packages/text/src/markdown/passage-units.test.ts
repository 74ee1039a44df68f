import { describe, expect, it } from '@jest/globals';
import { passageUnits } from '#markdown/passage-units';

describe('passageUnits', () => {
  it('returns units that are verbatim in the passage at their offsets', () => {
    const text =
      '# Guide\r\n\r\nFirst. Second one.\r\n\r\n* item **a**\r\n* item b\r\n\r\n| A | B |\r\n|---|---|\r\n| 1 | 2 |\r\n';
    const units = passageUnits(text);
    expect(units.map(({ kind }) => kind)).toEqual(['sentence', 'sentence', 'list_item', 'list_item', 'table_row']);
    for (const unit of units) expect(text.slice(unit.start, unit.end)).toBe(unit.text);
  });

  it('keeps the headings above a unit, the passage path first', () => {
    const [first, second] = passageUnits('## Leave\n\nTake it.\n\n### Sick\n\nStay home.\n', 'Handbook › People');
    expect(first?.headings).toEqual(['Handbook', 'People', 'Leave']);
    expect(second?.headings).toEqual(['Handbook', 'People', 'Leave', 'Sick']);
  });

  it('adds the introducing sentence to list items, and the parent to nested ones', () => {
    const units = passageUnits('You need two things:\n\n1. A badge\n   - with a photo\n2. A key\n');
    expect(units.slice(1).map(({ text, lead, depth }) => ({ text, lead, depth }))).toEqual([
      { text: 'A badge', lead: 'You need two things:', depth: 0 },
      { text: 'with a photo', lead: 'You need two things: A badge', depth: 1 },
      { text: 'A key', lead: 'You need two things:', depth: 0 },
    ]);
  });

  it('splits wide table rows into cells with their row and column', () => {
    const prose = 'Does careful work on problems that others have set out, and asks early when something is unclear. ';
    const text = `| Area | Junior | Senior |\n|---|---|---|\n| *Scope* | ${prose} | ${prose.repeat(2)} |\n`;
    const units = passageUnits(text);
    expect(units.map(({ lead }) => lead)).toEqual(['Scope, Junior', 'Scope, Senior']);
  });

  it('reads a table without a header', () => {
    const [row] = passageUnits('| Basel | 12 |\n| Bern | 14 |\n');
    expect(row).toMatchObject({ kind: 'table_row', columns: [], text: '| Basel | 12 |' });
  });

  it('keeps fenced code as one unit, even without its closing fence', () => {
    expect(passageUnits('Run this:\n\n```sh\nnpm ci\nnpm start\n')).toMatchObject([
      { kind: 'sentence' },
      { kind: 'code', text: 'npm ci\nnpm start' },
    ]);
  });

  it('returns no units for an empty text or only headings', () => {
    expect(passageUnits('')).toEqual([]);
    expect(passageUnits('# Only\n\n## Headings\n')).toEqual([]);
  });
});
