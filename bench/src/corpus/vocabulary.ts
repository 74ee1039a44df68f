import { between, type Random } from '#corpus/random';

/** About 40% of the words in English prose, roughly in order of frequency. */
const FUNCTION_WORDS =
  'the of and to a in is for that on with as by it are be this from or at an which not can has have was were been will may their its more than each all any such only when'.split(
    ' ',
  );

const ONSETS = 'b c d f g h j k l m n p r s t v w br cl cr dr fl gr pl pr sl sp st tr th sh ch'.split(' ');
const VOWELS = 'a e i o u ai ea ou'.split(' ');
const CODAS = ['', '', '', 'l', 'm', 'n', 'r', 's', 't', 'nd', 'rt', 'st'];

/**
 * Creates distinct words, most frequent first: English function words, then pronounceable generated
 * words.
 */
export function createVocabulary(random: Random, size: number): string[] {
  const words = new Set(FUNCTION_WORDS);
  while (words.size < size) words.add(makeWord(random));
  return [...words].slice(0, size);
}

/** The number of words at the start of the vocabulary that have no topic. */
export const FUNCTION_WORD_COUNT = FUNCTION_WORDS.length;

function makeWord(random: Random): string {
  const syllables = between(random, 2, 4);
  return Array.from({ length: syllables }, () => pick(random, ONSETS) + pick(random, VOWELS))
    .join('')
    .concat(pick(random, CODAS));
}

function pick(random: Random, choices: readonly string[]): string {
  return choices[between(random, 0, choices.length - 1)] ?? '';
}
