import type { PlacedEvent } from '#replies/reply-log';
import { foldReply } from '#turn/fold-reply';

/** A turn's events as the contract's whole reply. Throws what the turn throws. */
export async function toChatReply(placed: AsyncIterable<PlacedEvent>) {
  const { confidence, sources, ...reply } = await foldReply(placed);
  return { ...reply, sources: [...sources], answerConfidence: confidence };
}
