import {
  AuthenticationError,
  ForbiddenError,
  InvalidRequestError,
  LecternConnectionError,
  NotFoundError,
  RateLimitError,
} from '@lectern/sdk';

/** A failure in words for the visitor. */
export interface AskFailure {
  readonly message: string;
  /** True if a new key may help. */
  readonly isExpired?: true;
  /** True if the conversation cannot be continued. */
  readonly isConversationGone?: true;
}

/** Explains why a question was not answered. `hasConversation` is true for a follow-up question. */
export function askFailure(error: unknown, hasConversation: boolean): AskFailure {
  if (error instanceof AuthenticationError) {
    return { message: 'Your access has expired. If nothing happens, reload the page and ask again.', isExpired: true };
  }
  if (error instanceof ForbiddenError) {
    return {
      message:
        'Asking is not allowed on this page. Ask the owner of this site to check the hosts of the key, and the right "chat" of the user token.',
    };
  }
  if (error instanceof RateLimitError) {
    const { retryAfterSeconds } = error;
    const wait = retryAfterSeconds === undefined ? 'later' : `in ${Math.max(1, retryAfterSeconds)} s`;
    return { message: `Too many questions. Try again ${wait}.` };
  }
  if (error instanceof NotFoundError && hasConversation) {
    return {
      message: 'This conversation does not exist anymore. Ask again to start a new one.',
      isConversationGone: true,
    };
  }
  if (error instanceof InvalidRequestError) return { message: 'The server did not accept the question. Change it.' };
  if (error instanceof LecternConnectionError && error.status === undefined) {
    return {
      message: error.isTimeout
        ? 'The server did not answer in time. Try again later.'
        : 'The server is not reachable from this page. Check your connection and ask again.',
    };
  }
  if (error instanceof DOMException && error.name === 'TimeoutError') {
    return { message: 'The answer took too long. Ask again.' };
  }
  return { message: 'Answers are temporarily unavailable. Try again later.' };
}
