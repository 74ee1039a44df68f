import {
  AuthenticationError,
  ForbiddenError,
  InvalidRequestError,
  LecternConnectionError,
  NotFoundError,
  RateLimitError,
} from '@lectern/sdk';
import type { AskTexts } from '#browser/texts/texts';

/** A failure in words for the visitor. */
export interface AskFailure {
  readonly message: string;
  /** True if a new key may help. */
  readonly isExpired?: true;
  /** True if the conversation cannot be continued. */
  readonly isConversationGone?: true;
}

/** Explains why a question was not answered. `hasConversation` is true for a follow-up question. */
export function askFailure(error: unknown, hasConversation: boolean, texts: AskTexts): AskFailure {
  if (error instanceof AuthenticationError) return { message: texts.expired, isExpired: true };
  if (error instanceof ForbiddenError) return { message: texts.forbidden };
  if (error instanceof RateLimitError) {
    const { retryAfterSeconds: seconds } = error;
    return { message: seconds === undefined ? texts.tooMany : texts.tooManyUntil(Math.max(1, seconds)) };
  }
  if (error instanceof NotFoundError && hasConversation) {
    return { message: texts.conversationGone, isConversationGone: true };
  }
  if (error instanceof InvalidRequestError) return { message: texts.invalid };
  if (error instanceof LecternConnectionError && error.status === undefined) {
    return { message: error.isTimeout ? texts.serverTimeout : texts.unreachable };
  }
  if (error instanceof DOMException && error.name === 'TimeoutError') return { message: texts.answerTimeout };
  return { message: texts.unavailable };
}
