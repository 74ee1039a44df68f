import type { ModelInfo } from '#model/model-info';

/** The default if ANTHROPIC_API_KEY is set: the current model that balances speed and quality. */
export const DEFAULT_ANTHROPIC_MODEL = 'claude-sonnet-5-5';

const MILLION = { contextWindow: 1_000_000, recommendedMaxTokens: 800_000, maxOutput: 128_000 } as const;
const CLASSIC = { contextWindow: 200_000, recommendedMaxTokens: 160_000, maxOutput: 64_000 } as const;
/** Thinking counts as output, so the default leaves room for it. */
const THINKING_OUTPUT = 16_000;

const claude = (id: string, sizes: typeof MILLION | typeof CLASSIC): ModelInfo => ({
  id,
  provider: 'anthropic',
  ...sizes,
  defaultMaxOutput: sizes === MILLION ? THINKING_OUTPUT : 4_096,
  supportsTools: true,
});

/**
 * Claude models as documented at https://platform.claude.com/docs/en/about-claude/models/overview,
 * newest first.
 */
export const ANTHROPIC_MODELS: readonly ModelInfo[] = [
  claude('claude-opus-5-5', MILLION),
  claude('claude-sonnet-5-5', MILLION),
  claude('claude-haiku-5-5', MILLION),
  claude('claude-fable-5-1', MILLION),
  claude('claude-opus-5', MILLION),
  claude('claude-sonnet-5', MILLION),
  { ...claude('claude-opus-4-6', MILLION), defaultMaxOutput: 4_096 },
  { ...claude('claude-sonnet-4-6', MILLION), defaultMaxOutput: 4_096, maxOutput: 64_000 },
  claude('claude-opus-4-5', CLASSIC),
  claude('claude-sonnet-4-5', CLASSIC),
  claude('claude-haiku-4-5', CLASSIC),
];
