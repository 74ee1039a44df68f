import { classifyShape, QUERY_SHAPES, type ShapeClassification } from '@lectern/grounding';
import { type ChatMessage, messageText } from '@lectern/llm';
import { MIN_CONVERSATIONAL } from '#sources/shape-plan';
import { selfContainedQuestion } from '#turn/follow-up';

/** The question that a message asks. */
export interface Understanding {
  /** The message, with the topic of the conversation added if it depends on it. */
  readonly question: string;
  readonly classification: ShapeClassification;
}

/** Interprets a message in the context of its conversation. Small talk is never a follow-up. */
export function understand(history: readonly ChatMessage[], message: string): Understanding {
  const classification = chooseShape(message);
  if (classification.shape === 'conversational') return { question: message, classification };
  const earlier = history.filter(({ role }) => role === 'user').map(messageText);
  return { question: selfContainedQuestion(earlier, message), classification };
}

/** Returns the most probable shape of a question; `conversational` only if it is clearly so. */
function chooseShape(question: string): ShapeClassification {
  const classified = classifyShape(question);
  const { shape, probabilities } = classified;
  if (shape !== 'conversational' || probabilities.conversational >= MIN_CONVERSATIONAL) return classified;
  const others = QUERY_SHAPES.filter((other) => other !== 'conversational');
  const next = others.reduce((best, other) => (probabilities[other] > probabilities[best] ? other : best));
  return { shape: next, probabilities };
}
