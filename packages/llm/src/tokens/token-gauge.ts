import { estimateTokens } from '@lectern/text';

/**
 * Estimates the tokens of a model without a public tokenizer, calibrated with the usage that its
 * provider reports.
 */
export interface TokenGauge {
  /** Estimates the tokens of a text, on the high side. */
  count(text: string): number;
  /** Calibrates with a prompt that consisted of `texts`. */
  learn(texts: readonly string[], promptTokens: number): void;
}

export interface GaugeOptions {
  /** The factor on `estimateTokens` before the first calibration. */
  readonly initial: number;
}

/** In shorter prompts, the text that the provider adds dominates. */
const MIN_LEARN_TOKENS = 1_000;
const MAX_RATIOS = 16;
/** The factor on the highest of the last ratios. */
const MARGIN = 1.05;
const BOUNDS = { min: 0.9, max: 2.5 } as const;

/**
 * Starts with the factor `initial`, then uses the highest ratio of the last 16 prompts plus 5%, so
 * that it is not too low when the language or the kind of text changes.
 */
export function createTokenGauge({ initial }: GaugeOptions): TokenGauge {
  const ratios: number[] = [];
  let factor = initial;
  return {
    count: (text) => Math.ceil(estimateTokens(text) * factor),
    learn(texts, promptTokens) {
      const estimated = texts.reduce((sum, text) => sum + estimateTokens(text), 0);
      if (estimated < MIN_LEARN_TOKENS || promptTokens <= 0) return;
      ratios.push(promptTokens / estimated);
      if (ratios.length > MAX_RATIOS) ratios.shift();
      factor = Math.min(BOUNDS.max, Math.max(BOUNDS.min, Math.max(...ratios) * MARGIN));
    },
  };
}
