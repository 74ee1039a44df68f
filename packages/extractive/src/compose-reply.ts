import {
  type IndexingState,
  phrasesIn,
  preferSupported,
  type QueryShape,
  questionLanguage,
  readEvidence,
  type SourceDocument,
} from '@lectern/grounding';
import { headAndTail } from '@lectern/text';
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
 * no answer. A quoted section has at most about `maxTokens`.
 */
export async function composeReply(
  text: string,
  sources: readonly SourceDocument[],
  shape: QueryShape,
  readIndexing: () => Promise<IndexingState | undefined> = async () => undefined,
  maxTokens = Number.POSITIVE_INFINITY,
): Promise<readonly ReplyPiece[]> {
  const reply = createReplyWriter();
  if (shape === 'conversational') {
    reply.write(smallTalkReply(headAndTail(text)));
    return reply.pieces();
  }
  const { question, candidates, scored, judge, constraints } = await readEvidence(text, sources);
  const best = preferSupported(scored, judge, constraints);
  const indexing = judgeBest(judge, best[0]) === 'answer' ? undefined : await readIndexing();
  const fixed = phrasesIn(questionLanguage(question.text, sources, indexing?.languages));
  const missing = constraints.absent.map(({ text: value }) => value);
  const phrases = missing.length === 0 ? fixed : { ...fixed, notFound: fixed.missing(missing) };
  // A comparison names the missing side itself. All others state what no source mentions.
  const answer = missing.length === 0 || shape === 'comparison' ? ANSWERS[shape] : answerLookup;
  const { missingFrom } = constraints;
  await answer({ question, candidates, scored: best, judge, missingFrom, phrases, indexing, reply, maxTokens });
  return reply.pieces();
}
