/** The kinds of memories in the API. */
export const KINDS = [
  { value: 'fact', label: 'Fact' },
  { value: 'preference', label: 'Preference' },
  { value: 'insight', label: 'Insight' },
  { value: 'procedure', label: 'Procedure' },
] as const;

export type Kind = (typeof KINDS)[number]['value'];
