import type { QueryShape } from '@lectern/llm';

/** How a question of a shape is answered. */
export interface ShapePlan {
  /** Documents to retrieve, and passages of each. 0 where the documents have nothing to do with it. */
  readonly documents: number;
  readonly passagesPerDocument: number;
  /** The most of the context that history may fill. Sources come first and may take what they need. */
  readonly historyShare: number;
}

/** A lookup wants few passages that are right, a list goes wide, a summary deep, an analysis both. */
export const SHAPE_PLANS: Readonly<Record<QueryShape, ShapePlan>> = {
  lookup: { documents: 6, passagesPerDocument: 4, historyShare: 0.3 },
  how_to: { documents: 5, passagesPerDocument: 6, historyShare: 0.3 },
  comparison: { documents: 8, passagesPerDocument: 5, historyShare: 0.2 },
  list: { documents: 10, passagesPerDocument: 5, historyShare: 0.2 },
  summary: { documents: 4, passagesPerDocument: 12, historyShare: 0.2 },
  analysis: { documents: 8, passagesPerDocument: 6, historyShare: 0.4 },
  conversational: { documents: 0, passagesPerDocument: 0, historyShare: 0.8 },
};

/** Below this probability a question is never taken for small talk: answering without the documents is the worse mistake. */
export const MIN_CONVERSATIONAL = 0.6;
