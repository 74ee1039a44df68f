import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseJson } from '#connection/parse-json';

/** Each run compares texts of more than 100 kB. */
const RUNS = { numRuns: 50 };
const PASSAGE = 'Plain text of a passage. '.repeat(100);

const bytesOf = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));
const outcomeOf = (parse: () => unknown): unknown => {
  try {
    return { value: parse() };
  } catch (error) {
    return error instanceof SyntaxError ? 'not JSON' : error;
  }
};
const text = fc.string({ unit: fc.constantFrom('a', '"', '\\', '[', '}', ',', '\n', 'é', '–', '語', '🙂', '\ud83d') });
const point = fc.record({
  id: fc.uuid(),
  score: fc.double({ noNaN: true, noDefaultInfinity: true }),
  payload: fc.oneof(
    fc.record({ text, title: fc.constant(PASSAGE), points: fc.array(text), metadata: fc.dictionary(text, text) }),
    fc.constant({ text: PASSAGE }),
  ),
});
const points = fc.array(point);
const found = fc.oneof(
  fc.record({ points }),
  fc.array(fc.record({ points }), { minLength: 1 }),
  fc.record({ points, next_page_offset: fc.option(fc.uuid()) }),
  fc.record({ count: fc.nat() }),
);

/** Makes each response large enough to be parsed in parts. */
const withLongPoint = <Response>(response: Response): Response => {
  const last: unknown = [response].flat().at(-1);
  if (typeof last === 'object' && last !== null && 'points' in last && Array.isArray(last.points)) {
    last.points.push({ id: 'long', payload: { text: `–${PASSAGE.repeat(60)}` } });
  }
  return response;
};

describe('parseJson', () => {
  it('parses every response like JSON.parse', () => {
    fc.assert(
      fc.property(found.map(withLongPoint), fc.double({ noNaN: true }), (result, time) => {
        const bytes = bytesOf({ result, status: 'ok', time });
        expect(parseJson(bytes)).toEqual(JSON.parse(bytes.toString('utf8')));
      }),
      RUNS,
    );
  });

  it('reads broken responses like JSON.parse', () => {
    const spoiled = fc.tuple(found.map(withLongPoint), fc.nat(), fc.constantFrom('', '"', '\\', '{', ']', ',', ' '));
    fc.assert(
      fc.property(spoiled, ([result, position, inserted]) => {
        const whole = bytesOf({ result, status: 'ok' });
        const at = position % whole.length;
        const bytes = Buffer.concat([whole.subarray(0, at), Buffer.from(inserted), whole.subarray(at + 1)]);
        expect(outcomeOf(() => parseJson(bytes))).toEqual(outcomeOf(() => JSON.parse(bytes.toString('utf8'))));
      }),
      RUNS,
    );
  });

  it('parses other large values', () => {
    for (const value of [
      PASSAGE.repeat(100),
      { result: [PASSAGE.repeat(100)] },
      { points: [{ a: PASSAGE.repeat(100) }] },
    ])
      expect(parseJson(bytesOf(value))).toEqual(value);
  });
});
