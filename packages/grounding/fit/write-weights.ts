import type { SupportSigns } from '#evidence/support-signs';
import type { Fitted } from './fit-logistic.ts';
import { SIGN_MEANINGS } from './sign-meanings.ts';

/** Probabilities of support from which on something is done. */
export interface Bounds {
  /** The builtin model answers. */
  readonly answerFrom: number;
  /** Saying that nothing was found is a fault. */
  readonly plainFrom: number;
}

/** The file of weights, as TypeScript. */
export function writeWeights(
  names: readonly (keyof SupportSigns)[],
  { bias, weights }: Fitted,
  { answerFrom, plainFrom }: Bounds,
): string {
  const signs = names.flatMap((name, at) => [
    `    /** ${SIGN_MEANINGS[name]} */`,
    `    ${name}: ${(weights[at] ?? 0).toFixed(2)},`,
  ]);
  return [
    "import type { SupportSigns } from '#evidence/support-signs';",
    '',
    '/** Log-odds with no sign at all, and what each sign adds for each unit of it. */',
    'interface SupportWeights {',
    '  readonly bias: number;',
    '  readonly signs: Readonly<Record<keyof SupportSigns, number>>;',
    '}',
    '',
    '/**',
    ' * Logistic regression (L2), written by `npm run fit:judge` (docs/chat.md): fitted on the training claims of SciFact and on the questions of one',
    ' * half of the subjects of XQuAD (English, German), each asked of all documents, of the closest ones that do not answer, and of the half of the',
    ' * documents without an answer; as much of what answers as of what does not.',
    ' */',
    'export const SUPPORT_WEIGHTS: SupportWeights = {',
    `  bias: ${bias.toFixed(2)},`,
    '  signs: {',
    ...signs,
    '  },',
    '};',
    '',
    'export const SUPPORT_SIGNS = [',
    ...names.map((name) => `  '${name}',`),
    '] as const satisfies readonly (keyof SupportSigns)[];',
    '',
    '/**',
    ' * From this probability on the builtin model answers: of the training claims whose documents do not decide them, six in a hundred get as far,',
    ' * by cross-validation.',
    ' */',
    `export const ANSWER_FROM = ${answerFrom.toFixed(2)};`,
    '',
    '/** From this probability on it is hard to believe that the sources hold no answer: two in a hundred of those claims get as far. */',
    `export const PLAIN_FROM = ${plainFrom.toFixed(2)};`,
    '',
  ].join('\n');
}
