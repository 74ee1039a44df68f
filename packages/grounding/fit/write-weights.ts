import type { SupportFeatures } from '#evidence/support-features';
import { FEATURE_DESCRIPTIONS } from './feature-descriptions.ts';
import type { Fitted } from './fit-logistic.ts';

/** Thresholds of the probability of support. */
export interface Thresholds {
  /** The built-in model answers. */
  readonly minAnswerProbability: number;
  /** A refusal is needless. */
  readonly minNeedlessRefusalProbability: number;
}

/** Returns the TypeScript file with the weights. */
export function writeWeights(
  names: readonly (keyof SupportFeatures)[],
  { bias, weights }: Fitted,
  { minAnswerProbability, minNeedlessRefusalProbability }: Thresholds,
): string {
  const features = names.flatMap((name, at) => [
    `    /** ${FEATURE_DESCRIPTIONS[name]} */`,
    `    ${name}: ${(weights[at] ?? 0).toFixed(2)},`,
  ]);
  return [
    "import type { SupportFeatures } from '#evidence/support-features';",
    '',
    '/** The bias and the weight of each feature, in log-odds. */',
    'interface SupportWeights {',
    '  readonly bias: number;',
    '  readonly features: Readonly<Record<keyof SupportFeatures, number>>;',
    '}',
    '',
    '/**',
    ' * Logistic regression (L2), written by `npm run fit:judge` (docs/chat.md). Fitted on the training',
    " * claims of SciFact and the questions of half of XQuAD's subjects (English, German). Each was asked",
    ' * with all documents, with the closest ones that do not answer, and with the half that contains no',
    ' * answer; answers and non-answers have equal weight.',
    ' */',
    'export const SUPPORT_WEIGHTS: SupportWeights = {',
    `  bias: ${bias.toFixed(2)},`,
    '  features: {',
    ...features,
    '  },',
    '};',
    '',
    'export const SUPPORT_FEATURES = [',
    ...names.map((name) => `  '${name}',`),
    '] as const satisfies readonly (keyof SupportFeatures)[];',
    '',
    '/**',
    ' * The lowest probability with which the built-in model answers. In cross-validation, 6% of the',
    ' * training claims without a decisive document reach it.',
    ' */',
    `export const MIN_ANSWER_PROBABILITY = ${minAnswerProbability.toFixed(2)};`,
    '',
    '/** A refusal is needless if a unit reaches this probability of support, as 2% of those claims do. */',
    `export const MIN_SUPPORT_OF_NEEDLESS_REFUSAL = ${minNeedlessRefusalProbability.toFixed(2)};`,
    '',
  ].join('\n');
}
