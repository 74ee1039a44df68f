import { describe, expect, it } from '@jest/globals';
import { classifyShape } from '#shape/classify-shape';
import { DOCUMENT_SHAPES } from '#shape/query-shape';
import { LABELED_QUESTIONS } from './labeled-questions.ts';

/** Wide bins, because a hundred questions are too few for ten. */
const BINS = 5;

const judged = [...DOCUMENT_SHAPES, 'conversational' as const].flatMap((label) =>
  LABELED_QUESTIONS[label].map((question) => {
    const { shape, probabilities } = classifyShape(question);
    return { question, label, shape, probability: probabilities[shape], right: shape === label };
  }),
);

const share = (all: readonly { readonly right: boolean }[]) => all.filter(({ right }) => right).length / all.length;

function calibrationError(): number {
  const bins = Map.groupBy(judged, ({ probability }) => Math.min(BINS - 1, Math.floor(probability * BINS)));
  return [...bins.values()].reduce((error, bin) => {
    const mean = bin.reduce((sum, { probability }) => sum + probability, 0) / bin.length;
    return error + (bin.length / judged.length) * Math.abs(mean - share(bin));
  }, 0);
}

describe('classifyShape, on held-out questions', () => {
  it('recognizes at least 85% of the shapes', () => {
    const missed = judged.filter(({ right }) => !right).map(({ question, label, shape }) => [question, label, shape]);
    process.stdout.write(
      `${judged.length} questions, ${(share(judged) * 100).toFixed(1)}% right; missed ${JSON.stringify(missed)}\n`,
    );
    expect(share(judged)).toBeGreaterThanOrEqual(0.85);
  });

  it('returns calibrated probabilities, with an expected calibration error of at most .1', () => {
    process.stdout.write(`expected calibration error ${calibrationError().toFixed(3)}\n`);
    expect(calibrationError()).toBeLessThanOrEqual(0.1);
  });

  it('never classifies a question as small talk', () => {
    const questions = DOCUMENT_SHAPES.flatMap((shape) => LABELED_QUESTIONS[shape]);
    expect(questions.filter((question) => classifyShape(question).shape === 'conversational')).toEqual([]);
  });
});
