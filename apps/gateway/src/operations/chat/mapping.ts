import {
  type ChatReply,
  type Confidence,
  type Conversation,
  type Feedback,
  FeedbackReason,
  type Message,
  MessageStatus,
  Rating,
  Role,
  type Source,
  type Usage,
} from '@lectern/contracts';
import { enumText, time } from '#operations/convert';

export function source({ id, title, excerpt, url }: Source) {
  return { id, title, excerpt, url };
}

export function confidence(value: Confidence | undefined) {
  if (value === undefined) return null;
  const { score, label, signals } = value;
  if (signals === undefined) return { score, label };
  const { coverageRatio, shapeConfidence, coverageCompleteness, violationFree } = signals;
  return { score, label, signals: { coverageRatio, shapeConfidence, coverageCompleteness, violationFree } };
}

export function usage(value: Usage | undefined) {
  const { promptTokens, completionTokens, totalTokens } = value ?? {
    promptTokens: 0,
    completionTokens: 0,
    totalTokens: 0,
  };
  return { promptTokens, completionTokens, totalTokens };
}

/** A complete reply. */
export function chatReply(reply: ChatReply) {
  return {
    id: reply.id,
    conversationId: reply.conversationId,
    content: reply.content,
    sources: reply.sources.map(source),
    answer_confidence: confidence(reply.answerConfidence),
    usage: usage(reply.usage),
    model: reply.model,
  };
}

/** A conversation in a list. */
export function conversationItem(conversation: Conversation) {
  return {
    id: conversation.id,
    title: conversation.title,
    agentId: conversation.agentId ?? null,
    messageCount: conversation.messageCount,
    createdAt: time(conversation.createdAt),
    updatedAt: time(conversation.updatedAt),
    user: conversation.user ?? null,
    shared: conversation.shared,
    readOnly: conversation.readOnly,
  };
}

/** What a person thinks of a reply. */
export function feedbackRecord({ rating, reason, comment, updatedAt }: Omit<Feedback, 'createdAt'>) {
  return {
    rating: enumText(Rating, rating),
    reason: reason === undefined ? null : enumText(FeedbackReason, reason),
    comment: comment ?? null,
    updatedAt: time(updatedAt),
  };
}

function message({ answerConfidence, usage: used, createdAt, feedback, ...shown }: Message) {
  const { id, role, content, sources, status, withheld } = shown;
  const head = { id, role: enumText(Role, role), content };
  if (role !== Role.ASSISTANT) return { ...head, createdAt: time(createdAt) };
  return {
    ...head,
    status: enumText(MessageStatus, status),
    withheld,
    sources: sources.map(source),
    answer_confidence: confidence(answerConfidence),
    usage: usage(used),
    feedback: feedback === undefined ? null : feedbackRecord(feedback),
    createdAt: time(createdAt),
  };
}

/** A conversation with its messages, oldest first. */
export function conversationRecord(conversation: Conversation) {
  return { ...conversationItem(conversation), messages: conversation.messages.map(message) };
}
