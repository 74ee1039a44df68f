import {
  type IndexingState,
  lacksSubject,
  phrasesIn,
  preferSupported,
  type QueryShape,
  questionLanguage,
  readEvidence,
  type SourceDocument,
} from '@lectern/grounding';
import { headAndTail, type Language } from '@lectern/text';
import { answerAnalysis } from '#answer/answer-analysis';
import { answerComparison } from '#answer/answer-comparison';
import type { AnswerShape } from '#answer/answer-context';
import { answerHowTo } from '#answer/answer-how-to';
import { answerList } from '#answer/answer-list';
import { answerLookup } from '#answer/answer-lookup';
import { answerSummary } from '#answer/answer-summary';
import { createReplyWriter, type ReplyPiece } from '#compose/reply-writer';
import { judgeBest } from '#judge-best';
import { smallTalkReply } from '#small-talk';

const ANSWERS: Readonly<Record<Exclude<QueryShape, 'conversational'>, AnswerShape>> = {
  lookup: answerLookup,
  how_to: answerHowTo,
  comparison: answerComparison,
  list: answerList,
  summary: answerSummary,
  analysis: answerAnalysis,
};

/**
 * Answers a question from its sources: quotes with their markers, or a statement that the sources
 * contain no answer, with the reason and what to do. Calls `readIndexing` only if the best unit is
 * not surely an answer. A quoted section has at most about `maxTokens`.
 */
export async function composeReply(
  text: string,
  sources: readonly SourceDocument[],
  shape: QueryShape,
  readIndexing: () => Promise<IndexingState | undefined> = async () => undefined,
  maxTokens = Number.POSITIVE_INFINITY,
  language?: Language,
): Promise<readonly ReplyPiece[]> {
  const reply = createReplyWriter();
  if (shape === 'conversational') {
    reply.write(smallTalkReply(headAndTail(text), language));
    return reply.pieces();
  }
  const { question, candidates, scored, judge, constraints } = await readEvidence(text, sources);
  const best = preferSupported(scored, judge, constraints);
  const missing = constraints.absent.map(({ text: value }) => value);
  const isIncomplete = missing.length > 0;
  const isPartial = best[0] !== undefined && lacksSubject(question, best[0], shape);
  const isAnswer = judgeBest(judge, best[0], { isIncomplete, isPartial, indexing: undefined }) === 'answer';
  const indexing = isAnswer ? undefined : await readIndexing();
  const verdict = judgeBest(judge, best[0], { isIncomplete, isPartial, indexing });
  const fixed = phrasesIn(questionLanguage(question.text, sources, indexing?.languages, language));
  const phrases = {
    ...fixed,
    ...(isIncomplete ? { notFound: fixed.missing(missing) } : {}),
    ...(verdict === 'cautious' ? { accordingTo: fixed.mayAnswer } : {}),
  };
  // A comparison names the missing side itself. All others state what no source mentions.
  const answer = isIncomplete && shape !== 'comparison' ? answerLookup : ANSWERS[shape];
  const { missingFrom } = constraints;
  await answer({ question, candidates, scored: best, verdict, missingFrom, phrases, indexing, reply, maxTokens });
  return reply.pieces();
}
