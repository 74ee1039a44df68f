import type { chat as spec } from '@lectern/api-spec';
import {
  type ChatRequest,
  FeedbackReason,
  Rating,
  type RegenerateRequest,
  type SetFeedbackRequest,
} from '@lectern/contracts';

/** The request to the chat service for a reply. */
export function chatRequest({ collections, ...body }: spec.ChatBody): ChatRequest {
  return { ...body, agentSettings: undefined, collectionIds: collections ?? [] };
}

/** The request to the chat service for a new reply to the last message. */
export function regenerateRequest(
  conversationId: string,
  { collections, ...body }: spec.RegenerateBody,
): RegenerateRequest {
  return { ...body, conversationId, collectionIds: collections ?? [] };
}

const REASONS: Readonly<Record<spec.FeedbackReasonName, FeedbackReason>> = {
  wrong: FeedbackReason.WRONG,
  incomplete: FeedbackReason.INCOMPLETE,
  outdated: FeedbackReason.OUTDATED,
  not_found: FeedbackReason.NOT_FOUND,
  wrong_source: FeedbackReason.WRONG_SOURCE,
  unclear: FeedbackReason.UNCLEAR,
  other: FeedbackReason.OTHER,
};

/** The request to the chat service to store feedback. */
export function feedbackRequest(
  reply: { readonly id: string; readonly messageId: string },
  body: spec.FeedbackBody,
): SetFeedbackRequest {
  return {
    conversationId: reply.id,
    messageId: reply.messageId,
    rating: body.rating === 'up' ? Rating.UP : Rating.DOWN,
    reason: body.reason === undefined ? undefined : REASONS[body.reason],
    comment: body.comment,
  };
}
