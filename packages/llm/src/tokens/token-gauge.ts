import { estimateTokens } from '@lectern/text';

/** Counts tokens of a model whose tokenizer is not to be had, and gets better with what its provider reports. */
export interface TokenGauge {
  /** Tokens of a text; errs high. */
  count(text: string): number;
  /** Learns from a prompt that was made of `texts` and took `promptTokens`. */
  learn(texts: readonly string[], promptTokens: number): void;
}

export interface GaugeOptions {
  /** Tokens per token of `estimateTokens`, before anything is known. */
  readonly initial: number;
}

/** Prompts below this many tokens tell more of the provider's own frame than of its tokenizer. */
const MIN_LEARN_TOKENS = 1_000;
const MEMORY = 16;
/** On top of the worst of the last prompts. */
const MARGIN = 1.05;
const BOUNDS = { least: 0.9, most: 2.5 } as const;

/**
 * A gauge that starts from `initial` and then keeps to the highest ratio of the last 16 prompts and a twentieth more, so that it does not
 * fall short where languages and kinds of text change.
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
      if (ratios.length > MEMORY) ratios.shift();
      factor = Math.min(BOUNDS.most, Math.max(BOUNDS.least, Math.max(...ratios) * MARGIN));
    },
  };
}
