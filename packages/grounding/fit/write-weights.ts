import type { SupportFeatures } from '#evidence/support-features';
import { FEATURE_DESCRIPTIONS } from './feature-descriptions.ts';
import type { Fitted } from './fit-logistic.ts';

/** The models for claims and for questions. */
export interface Heads {
  readonly claim: Fitted;
  readonly question: Fitted;
}

/** Returns the TypeScript file with the weights. */
export function writeWeights(
  names: readonly (keyof SupportFeatures)[],
  { claim, question }: Heads,
  minNeedlessRefusalProbability: number,
): string {
  const model = ({ bias, weights }: Fitted) => [
    `    bias: ${bias.toFixed(2)},`,
    '    features: {',
    ...names.map((name, at) => `      ${name}: ${(weights[at] ?? 0).toFixed(2)},`),
    '    },',
  ];
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
    ' * Logistic regression (L2), written by `npm run fit:judge` (docs/chat.md). `claim` was fitted on the',
    " * training claims of SciFact, `question` on half of XQuAD's subjects (English, German, Chinese) and",
    ' * on questions generated from Markdown documents. Each was asked with all documents, with the closest',
    ' * ones that do not answer, with the half that contains no answer, and with another subject; answers',
    ' * and non-answers have equal weight.',
    ' */',
    "export const SUPPORT_WEIGHTS: Readonly<Record<'claim' | 'question', SupportWeights>> = {",
    '  claim: {',
    ...model(claim),
    '  },',
    '  question: {',
    ...model(question),
    '  },',
    '};',
    '',
    'export const SUPPORT_FEATURES = [',
    ...names.flatMap((name) => [`  /** ${FEATURE_DESCRIPTIONS[name]} */`, `  '${name}',`]),
    '] as const satisfies readonly (keyof SupportFeatures)[];',
    '',
    '/**',
    ' * The lowest probability with which the built-in model answers: an answer that is wrong costs as',
    ' * much as a cautious reply although a source answers, with a margin.',
    ' */',
    'export const MIN_ANSWER_PROBABILITY = 0.55;',
    '',
    '/**',
    ' * The lowest probability with which it quotes a possible answer: a wrong quote, which is marked as',
    ' * uncertain, costs a sixteenth of a refusal although a source answers, and .06 is about 1 / 17.',
    ' */',
    'export const MIN_CAUTIOUS_PROBABILITY = 0.06;',
    '',
    '/** A refusal is needless if a unit reaches this probability, as 2% of the unanswered claims do. */',
    `export const MIN_SUPPORT_OF_NEEDLESS_REFUSAL = ${minNeedlessRefusalProbability.toFixed(2)};`,
    '',
  ].join('\n');
}
