import { type Feedback as FeedbackMessage, FeedbackReason, Rating } from '@lectern/contracts';
import type { Caller } from '@lectern/service-kit';
import { z } from 'zod';
import type { Feedback } from '#gen/prisma/client';

const RATINGS = { up: Rating.UP, down: Rating.DOWN } as const;

const REASONS = {
  wrong: FeedbackReason.WRONG,
  incomplete: FeedbackReason.INCOMPLETE,
  outdated: FeedbackReason.OUTDATED,
  not_found: FeedbackReason.NOT_FOUND,
  wrong_source: FeedbackReason.WRONG_SOURCE,
  unclear: FeedbackReason.UNCLEAR,
  other: FeedbackReason.OTHER,
} as const;

const storedRating = z.enum(['up', 'down']);
const storedReason = z.enum(['wrong', 'incomplete', 'outdated', 'not_found', 'wrong_source', 'unclear', 'other']);

/** The stored name of a rating. Undefined for an unspecified or unknown one. */
export const ratingName = (value: Rating) => storedRating.options.find((name) => RATINGS[name] === value);

/** The stored name of a reason. Undefined for an unspecified or unknown one. */
export const reasonName = (value: FeedbackReason) => storedReason.options.find((name) => REASONS[name] === value);

/** Who gives feedback: the end user, or the key pair of a request without one. */
export function authorOf({ userEmail, keyId }: Caller): string {
  return userEmail === undefined ? `key:${keyId ?? ''}` : `user:${userEmail}`;
}

type FeedbackFields = Pick<Feedback, 'rating' | 'reason' | 'comment' | 'createdAt' | 'updatedAt'>;

/** Converts a row to its contract form. */
export function toFeedback({ rating, reason, comment, createdAt, updatedAt }: FeedbackFields): FeedbackMessage {
  return {
    rating: RATINGS[storedRating.parse(rating)],
    reason: reason === null ? undefined : REASONS[storedReason.parse(reason)],
    comment: comment ?? undefined,
    createdAt,
    updatedAt,
  };
}
