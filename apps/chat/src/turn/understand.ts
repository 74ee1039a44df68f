import type { ShapeClassification } from '@lectern/grounding';
import { type ChatMessage, messageText } from '@lectern/llm';
import { chooseShape } from '#turn/choose-shape';
import { selfStandingQuestion } from '#turn/follow-up';

/** What a message asks. */
export interface Understanding {
  /** The message, made self-standing where it leans on the conversation. */
  readonly question: string;
  readonly classification: ShapeClassification;
}

/** Reads a message in the light of the conversation. Small talk is never taken for a follow-up. */
export function understand(history: readonly ChatMessage[], message: string): Understanding {
  const classification = chooseShape(message);
  if (classification.shape === 'conversational') return { question: message, classification };
  const earlier = history.filter(({ role }) => role === 'user').map(messageText);
  return { question: selfStandingQuestion(earlier, message), classification };
}
