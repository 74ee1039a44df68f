import { expect, it } from '@jest/globals';
import {
  AuthenticationError,
  ForbiddenError,
  LecternConnectionError,
  NotFoundError,
  RateLimitError,
  ServerError,
} from '@lectern/sdk';
import { askFailure } from '#browser/ask/ask-failure';
import { ask } from '#browser/texts/en';

const fields = { message: 'Failed', requestId: undefined };
const missing = new NotFoundError({ ...fields, code: 'not_found', status: 404 });

it.each([
  [new AuthenticationError({ ...fields, code: 'key_expired', status: 401 }), 'access has expired'],
  [new ForbiddenError({ ...fields, code: 'forbidden', status: 403 }), 'not allowed on this page'],
  [new RateLimitError({ ...fields, code: 'rate_limited', status: 429, retryAfterSeconds: 7 }), 'in 7 seconds'],
  [new RateLimitError({ ...fields, code: 'rate_limited', status: 429 }), 'Try again later'],
  [new ServerError({ ...fields, code: 'unavailable', status: 503 }), 'temporarily unavailable'],
  [new LecternConnectionError('Failed'), 'not reachable'],
  [new LecternConnectionError('Late', { isTimeout: true }), 'did not answer in time'],
  [new LecternConnectionError('A page', { status: 502 }), 'temporarily unavailable'],
  [new DOMException('Late', 'TimeoutError'), 'took too long'],
  [new RangeError('Long'), 'temporarily unavailable'],
  [missing, 'temporarily unavailable'],
])('explains %s: %s', (error, expected) => {
  expect(askFailure(error, false, ask).message).toContain(expected);
});

it('reports an expired key and a conversation that is gone', () => {
  const expired = new AuthenticationError({ ...fields, code: 'invalid_key', status: 200 });
  expect(askFailure(expired, true, ask).isExpired).toBe(true);
  expect(askFailure(missing, true, ask).isConversationGone).toBe(true);
  expect(askFailure(missing, false, ask).isConversationGone).toBeUndefined();
});
