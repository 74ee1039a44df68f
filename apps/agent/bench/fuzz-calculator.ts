import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { CalculatorError } from '#calculator/calculator-error';
import { evaluate } from '#calculator/evaluate';

/**
 * Evaluates random and grammatical expressions: `npm run fuzz -w apps/agent -- --runs 1000000`.
 * Fails if an expression throws anything other than a `CalculatorError` or takes more than 50 ms,
 * or if memory grows.
 */
const { values } = parseArgs({
  options: { runs: { type: 'string', default: '1000000' }, seed: { type: 'string', default: '1' } },
});
const BATCH = 10_000;
const SLOW_MS = 50;
/** Slower evaluations are repeated twice, and the fastest counts, to exclude other load. */
const SUSPECT_MS = 5;
const MIB = 1024 * 1024;

const atom = fc.constantFrom(
  '1',
  '0',
  '2',
  '9.99',
  '1e300',
  '1e-300',
  '.5',
  'pi',
  'e',
  '123456789012345678901234567890',
);
const tree = fc.letrec<{ sum: string }>((tie) => ({
  sum: fc.oneof(
    { maxDepth: 6, withCrossShrink: true },
    atom,
    fc
      .tuple(tie('sum'), fc.constantFrom('+', '-', '*', '/', '^', ' mod ', ' of '), tie('sum'))
      .map((parts) => parts.join('')),
    fc
      .tuple(fc.constantFrom('sqrt', 'ln', 'exp', 'sin', 'tan', 'atan', 'asin', 'cbrt', 'log', 'round', ''), tie('sum'))
      .map(([name, sum]) => `${name}(${sum})`),
    fc
      .tuple(fc.constantFrom('pow', 'log', 'mod', 'gcd', 'max', 'mean', 'stdev'), tie('sum'), tie('sum'))
      .map(([name, a, b]) => `${name}(${a},${b})`),
    tie('sum').map((sum) => `(${sum})!`),
    tie('sum').map((sum) => `-${sum}%`),
  ),
})).sum;
const piece = fc.constantFrom(
  '1',
  '9',
  '.',
  'e',
  'pi',
  '+',
  '-',
  '*',
  '/',
  '^',
  '%',
  '!',
  '(',
  ')',
  ',',
  'sqrt(',
  'ln(',
  'pow(',
  'tan(',
  'gcd(',
  '9^',
  '2^.1',
);
const anything = fc.oneof(
  { weight: 4, arbitrary: tree },
  { weight: 3, arbitrary: fc.array(piece, { maxLength: 300 }).map((pieces) => pieces.join('')) },
  { weight: 1, arbitrary: fc.string({ maxLength: 1_200 }) },
  { weight: 1, arbitrary: fc.tuple(piece, fc.nat(1_000)).map(([text, times]) => text.repeat(times)) },
);

const costOf = (text: string): { ms: number; hasResult: boolean } => {
  const startedAt = performance.now();
  let hasResult = true;
  try {
    if (!evaluate(text).isFinite()) throw new Error(`Not finite: ${text}`);
  } catch (error) {
    if (!(error instanceof CalculatorError)) throw error;
    hasResult = false;
  }
  return { ms: performance.now() - startedAt, hasResult };
};

/** Returns the heap size after a full garbage collection, without the garbage of the generator. */
function heapBytes(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

const cheaper = <T extends { readonly ms: number }>(a: T, b: T): T => (a.ms <= b.ms ? a : b);

const runs = Number(values.runs);
let resultCount = 0;
let slowest = { ms: 0, text: '' };
let firstHeap = 0;
for (let done = 0; done < runs; done += BATCH) {
  for (const text of fc.sample(anything, { numRuns: Math.min(BATCH, runs - done), seed: Number(values.seed) + done })) {
    let cost = costOf(text);
    for (let again = 0; again < 2 && cost.ms > SUSPECT_MS; again += 1) cost = cheaper(cost, costOf(text));
    if (cost.hasResult) resultCount += 1;
    if (cost.ms > slowest.ms) slowest = { ms: cost.ms, text };
  }
  if (done === 10 * BATCH) firstHeap = heapBytes();
}
const grownMb = firstHeap === 0 ? 0 : (heapBytes() - firstHeap) / MIB;
process.stdout.write(
  `${runs} expressions, ${resultCount} with a result; slowest ${slowest.ms.toFixed(1)} ms (${slowest.text.slice(0, 120)}); memory grew by ${grownMb.toFixed(1)} MiB\n`,
);
if (slowest.ms > SLOW_MS || grownMb > 5) process.exitCode = 1;
