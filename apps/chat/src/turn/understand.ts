import { classifyShape, type ShapeClassification } from '@lectern/grounding';
import { type ChatMessage, messageText } from '@lectern/llm';
import { selfContainedQuestion } from '#turn/follow-up';

/** The question that a message asks. */
export interface Understanding {
  /** The message, with the topic of the conversation added if it depends on it. */
  readonly question: string;
  readonly classification: ShapeClassification;
}

/** Interprets a message in the context of its conversation. Small talk is never a follow-up. */
export function understand(history: readonly ChatMessage[], message: string): Understanding {
  const classification = classifyShape(message);
  if (classification.shape === 'conversational') return { question: message, classification };
  const earlier = history.filter(({ role }) => role === 'user').map(messageText);
  return { question: selfContainedQuestion(earlier, message), classification };
}
