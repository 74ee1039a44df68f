import { expect, it } from '@jest/globals';
import { fuzzLectern } from '#fuzz-http/fuzz-lectern';

const STARTING_MS = 300_000;

it(
  'finds no server error, broken connection or restart in a small run against a whole system',
  async () => {
    // `npm run fuzz:http` measures event loop delays. A test has no timed assertions.
    const options = { seed: 11, requests: 320, only: undefined, stallMs: Number.POSITIVE_INFINITY, documents: 10 };
    const { sent, findings, statuses } = await fuzzLectern(options, () => undefined, new AbortController().signal);
    expect(findings).toEqual([]);
    expect(sent).toBe(320);
    expect([...statuses.keys()]).toEqual(expect.arrayContaining(['200', '400', '401', '403', '404']));
  },
  STARTING_MS,
);
