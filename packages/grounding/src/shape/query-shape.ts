/** Kinds of answers that questions about documents need. */
export const DOCUMENT_SHAPES = ['lookup', 'how_to', 'comparison', 'list', 'summary', 'analysis'] as const;

export type DocumentShape = (typeof DOCUMENT_SHAPES)[number];

/** All kinds of answers. A conversational message needs no document. */
export type QueryShape = DocumentShape | 'conversational';
