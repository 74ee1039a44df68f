import { t } from '#texts/texts.ts';

/** The kinds of memories in the API. */
export const KINDS = [
  { value: 'fact', label: t('agents.memories.kinds.fact') },
  { value: 'preference', label: t('agents.memories.kinds.preference') },
  { value: 'insight', label: t('agents.memories.kinds.insight') },
  { value: 'procedure', label: t('agents.memories.kinds.procedure') },
] as const;

export type Kind = (typeof KINDS)[number]['value'];
