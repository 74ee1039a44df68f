export { type Citable, citablesOf } from '#citations/citable';
export { type CitationLedger, createCitationLedger } from '#citations/citation-ledger';
export { findMarkers, withoutMarkers } from '#citations/markers';
export type * from '#citations/reply-event';
export { createReplyText, type ReplyText, type Support } from '#citations/reply-text';
export { type SourceDocument, type SourcePassage, toSourceDocument } from '#citations/source-document';
export { lacksSubject } from '#confidence/doubts';
export {
  type AnswerConfidence,
  type AnswerToScore,
  confidenceLabel,
  scoreAnswer,
} from '#confidence/score-answer';
export { type ConfidenceLabel, type ConfidenceSignals, LABEL_FLOORS, SIGNAL_WEIGHTS } from '#confidence/weights';
export type { ConstraintCheck } from '#constraints/check-constraints';
export type { Constraint } from '#constraints/read-constraints';
export { auroc } from '#evaluation/auroc';
export { calibrationError, reliabilityCurve } from '#evaluation/reliability';
export { type ReceivedReply, type ReplyForm, replyForm } from '#evaluation/reply-form';
export {
  type AskedQuestion,
  type QuestionSummary,
  type RatedReply,
  share,
  summarizeQuestions,
} from '#evaluation/summarize-questions';
export { wantsQuantity } from '#evidence/answer-type';
export type { Candidate } from '#evidence/candidates';
export { comparisonSides } from '#evidence/comparison-sides';
export { type Question, readQuestion } from '#evidence/question';
export { questionLanguage } from '#evidence/question-language';
export { type ScoredCandidate, scoreCandidates } from '#evidence/score-candidates';
export { overlap } from '#evidence/similarity';
export { MIN_ANSWER_PROBABILITY, MIN_CAUTIOUS_PROBABILITY } from '#evidence/support-weights';
export { addsTerm } from '#evidence/term-match';
export { addTopic } from '#evidence/topic';
export { preferSupported } from '#judge/prefer-supported';
export { type Evidence, readEvidence } from '#judge/read-evidence';
export type { Judge } from '#judge/support';
export type { ReplyLanguage } from '#messages/catalog';
export { beforeClosest, type IndexingState, noAnswer } from '#messages/no-answer';
export { phrasesIn, type ReplyPhrases } from '#messages/reply-phrases';
export { withheldText } from '#messages/withheld-text';
export { CORRECTION_DIVIDER, correctionHolds, moveCitations } from '#quality/correction';
export type { QualityRule, RuleName, Violation } from '#quality/quality-rule';
export { isRefusal } from '#quality/refusal';
export { reviewReply } from '#quality/review-reply';
export { classifyShape, type ShapeClassification } from '#shape/classify-shape';
export type { DocumentShape, QueryShape } from '#shape/query-shape';
export { type SmallTalk, smallTalkOf } from '#shape/small-talk';
