import { isAnswerable } from '#builtin/answerable';
import { listCandidates } from '#builtin/candidates';
import { composePassage } from '#builtin/compose/compose-passage';
import { createReplyWriter, type ReplyPiece } from '#builtin/compose/reply-writer';
import { readQuestion } from '#builtin/question';
import { scoreCandidates } from '#builtin/score-candidates';
import { selectBest } from '#builtin/select-best';
import { smallTalkReply } from '#builtin/small-talk';
import { withAntecedents } from '#builtin/with-antecedents';
import { guessLanguage } from '#language/guess-language';
import { PHRASES } from '#language/phrases';
import type { SourceDocument } from '#model/source-document';
import type { QueryShape } from '#shape/query-shape';

/** Answers a question from sources alone: quotes with their markers, or a plain statement that they hold no answer. */
export function composeReply(
  question: string,
  sources: readonly SourceDocument[],
  shape: QueryShape,
): readonly ReplyPiece[] {
  const phrases = PHRASES[guessLanguage(question)];
  const reply = createReplyWriter();
  if (shape === 'conversational') {
    reply.say(smallTalkReply(question, phrases));
    return reply.pieces();
  }
  const asked = readQuestion(question);
  const scored = scoreCandidates(asked, listCandidates(sources));
  if (!isAnswerable(asked, scored)) {
    reply.say(phrases.notFound);
    return reply.pieces();
  }
  const picked = selectBest(scored, { most: 3, ratio: 0.8 }).map(({ candidate }) => candidate);
  composePassage(withAntecedents(picked), phrases, reply);
  return reply.pieces();
}
