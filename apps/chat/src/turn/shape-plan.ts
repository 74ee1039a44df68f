import type { QueryShape } from '@lectern/grounding';

/** How a question of a shape is answered. */
export interface ShapePlan {
  /** Documents to retrieve, and passages of each. 0 where the documents have nothing to do with it. */
  readonly documents: number;
  readonly passagesPerDocument: number;
  /** Whether each side of a comparison is looked up by itself too. */
  readonly eachSide: boolean;
  /** Documents, of those found, that are read as a whole. */
  readonly wholeDocuments: number;
  /** The most of the context that history may fill. Sources come first and may take what they need. */
  readonly historyShare: number;
}

const plan = (
  documents: number,
  passagesPerDocument: number,
  historyShare: number,
  rest: Partial<ShapePlan> = {},
): ShapePlan => ({ documents, passagesPerDocument, historyShare, eachSide: false, wholeDocuments: 0, ...rest });

/**
 * A lookup wants few passages that are right, a comparison both sides, a list goes wide, a summary takes documents whole, an analysis wants
 * breadth and what was said before.
 */
export const SHAPE_PLANS: Readonly<Record<QueryShape, ShapePlan>> = {
  lookup: plan(6, 4, 0.3),
  how_to: plan(5, 6, 0.3),
  comparison: plan(6, 5, 0.2, { eachSide: true }),
  list: plan(20, 4, 0.2),
  summary: plan(4, 12, 0.2, { wholeDocuments: 3 }),
  analysis: plan(8, 6, 0.4),
  conversational: plan(0, 0, 0.8),
};

/** Below this probability a question is never taken for small talk: answering without the documents is the worse mistake. */
export const MIN_CONVERSATIONAL = 0.6;
