import { answerAnalysis } from '#builtin/answer/answer-analysis';
import { answerComparison } from '#builtin/answer/answer-comparison';
import type { AnswerShape } from '#builtin/answer/answer-context';
import { answerHowTo } from '#builtin/answer/answer-how-to';
import { answerList } from '#builtin/answer/answer-list';
import { answerLookup } from '#builtin/answer/answer-lookup';
import { answerSummary } from '#builtin/answer/answer-summary';
import { createReplyWriter, type ReplyPiece } from '#builtin/compose/reply-writer';
import { smallTalkReply } from '#builtin/small-talk';
import { listCandidates } from '#evidence/candidates';
import { preferSupported } from '#evidence/prefer-supported';
import { readQuestion } from '#evidence/question';
import { questionLanguage } from '#evidence/question-language';
import { scoreCandidates } from '#evidence/score-candidates';
import { createJudge } from '#evidence/support';
import { guessLanguage } from '#language/guess-language';
import { PHRASES } from '#language/phrases';
import type { SourceDocument } from '#model/source-document';
import type { QueryShape } from '#shape/query-shape';
import { endsOf } from '#text/ends-of';

const ANSWERS: Readonly<Record<Exclude<QueryShape, 'conversational'>, AnswerShape>> = {
  lookup: answerLookup,
  how_to: answerHowTo,
  comparison: answerComparison,
  list: answerList,
  summary: answerSummary,
  analysis: answerAnalysis,
};

/** Answers a question from sources alone: quotes with their markers, or a plain statement that they hold no answer. */
export function composeReply(
  text: string,
  sources: readonly SourceDocument[],
  shape: QueryShape,
): readonly ReplyPiece[] {
  const reply = createReplyWriter();
  if (shape === 'conversational') {
    const said = endsOf(text);
    reply.say(smallTalkReply(said, PHRASES[guessLanguage(said)]));
    return reply.pieces();
  }
  const question = readQuestion(text, questionLanguage(text, sources));
  const phrases = PHRASES[question.language === 'de' ? 'de' : guessLanguage(question.text)];
  const candidates = listCandidates(sources, question.language);
  const byWords = scoreCandidates(question, candidates);
  const judge = createJudge(question, byWords);
  ANSWERS[shape]({ question, candidates, scored: preferSupported(byWords, judge), judge, phrases, reply });
  return reply.pieces();
}
