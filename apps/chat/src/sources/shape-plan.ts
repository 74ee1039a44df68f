import type { QueryShape } from '@lectern/grounding';

/** How to retrieve sources for a question of one shape. */
export interface ShapePlan {
  /** Documents to retrieve, and passages of each. 0 if the question needs no documents. */
  readonly documents: number;
  readonly passagesPerDocument: number;
  /** Whether to search for each side of a comparison separately too. */
  readonly eachSide: boolean;
  /** The number of found documents to read completely. */
  readonly wholeDocuments: number;
  /** The number of found documents whose passages are extended to complete sections. */
  readonly sectionDocuments: number;
  /** The maximum share of the context for history. Sources take precedence. */
  readonly historyShare: number;
}

const plan = (
  documents: number,
  passagesPerDocument: number,
  historyShare: number,
  rest: Partial<ShapePlan> = {},
): ShapePlan => ({
  documents,
  passagesPerDocument,
  historyShare,
  eachSide: false,
  wholeDocuments: 0,
  sectionDocuments: 0,
  ...rest,
});

/**
 * A lookup needs a few precise passages, a comparison both sides, a list many documents, a summary
 * complete documents, an analysis breadth and history.
 */
export const SHAPE_PLANS: Readonly<Record<QueryShape, ShapePlan>> = {
  lookup: plan(6, 4, 0.3),
  how_to: plan(5, 6, 0.3, { sectionDocuments: 2 }),
  comparison: plan(6, 5, 0.2, { eachSide: true }),
  list: plan(20, 4, 0.2, { sectionDocuments: 2 }),
  summary: plan(4, 12, 0.2, { wholeDocuments: 3 }),
  analysis: plan(8, 6, 0.4),
  conversational: plan(0, 0, 0.8),
};
