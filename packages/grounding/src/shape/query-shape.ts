/** Kinds of answers that questions need. */
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
