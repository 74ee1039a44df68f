/** What kind of answer a question wants. */
export const QUERY_SHAPES = [
  'lookup',
  'how_to',
  'comparison',
  'list',
  'summary',
  'analysis',
  'conversational',
] as const;

export type QueryShape = (typeof QUERY_SHAPES)[number];
