import type { SourceDocument } from '@lectern/grounding';
import type { ChatMessage } from '@lectern/llm';
import { gatherSources } from '#sources/gather-sources';
import type { Reach } from '#turn/reach';
import type { TurnDeps } from '#turn/turn-request';
import { type Understanding, understand } from '#turn/understand';

/** What a message asks, and the sources that are being looked for. */
export interface LookUp extends Understanding {
  /** Rejects with what the search throws; whoever waits for it is told then. */
  readonly sources: Promise<readonly SourceDocument[]>;
}

/** Reads a message in the light of the conversation and begins to look for its sources. */
export function lookUp(
  { services, signal }: Pick<TurnDeps, 'services' | 'signal'>,
  history: readonly ChatMessage[],
  message: string,
  reach: Reach,
): LookUp {
  const { question, classification } = understand(history, message);
  const sources = gatherSources(services, question, classification.shape, reach, signal);
  // A turn that is refused meanwhile never waits for them.
  sources.catch(() => undefined);
  return { question, classification, sources };
}
