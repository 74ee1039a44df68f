import type { SourceDocument } from '@lectern/grounding';
import type { ChatMessage } from '@lectern/llm';
import { gatherSources } from '#sources/gather-sources';
import type { SearchScope } from '#sources/search-scope';
import type { TurnDeps } from '#turn/turn-request';
import { type Understanding, understand } from '#turn/understand';

/** A message's question and its pending sources. */
export interface LookUp extends Understanding {
  /** Rejects with what the search throws. */
  readonly sources: Promise<readonly SourceDocument[]>;
}

/** Interprets a message in the context of its conversation and starts the search for sources. */
export function lookUp(
  { services, signal }: Pick<TurnDeps, 'services' | 'signal'>,
  history: readonly ChatMessage[],
  message: string,
  scope: SearchScope,
): LookUp {
  const { question, classification } = understand(history, message);
  const sources = gatherSources(services, question, classification.shape, scope, signal);
  // A turn that is rejected in the meantime never awaits them.
  sources.catch(() => undefined);
  return { question, classification, sources };
}
