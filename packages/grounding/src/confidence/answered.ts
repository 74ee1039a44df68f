import type { ReviewedReply } from '#quality/quality-rule';
import { isRefusal } from '#quality/refusal';

/** `needs_none`: small talk that claims nothing; `unanswered`: no source, none cited, or the reply says so; `answered`: it rests on sources. */
export type AnswerState = 'needs_none' | 'unanswered' | 'answered';

/** Which of the three a reply is; the two coverage signals follow from it. */
export function answerState({ reply, citations, sources, shape }: ReviewedReply): AnswerState {
  if (shape === 'conversational' && citations.length === 0 && !isRefusal(reply)) return 'needs_none';
  if (sources.length === 0 || citations.length === 0 || isRefusal(reply)) return 'unanswered';
  return 'answered';
}
