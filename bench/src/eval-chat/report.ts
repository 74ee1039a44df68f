import type { EvalChatResult } from '#eval-chat/eval-chat-result';
import { table } from '#report/table';

/** Renders the report of an evaluation of answers as Markdown. */
export function writeChatReport(corpus: string, result: EvalChatResult): string {
  const { questionCounts, citesRight, excerptHolds, replyHolds, lowWithoutAnswer, curve } = result;
  const metrics: string[][] = [
    ['cites a document that answers', percent(citesRight)],
    ...(excerptHolds === undefined ? [] : [['cited passage contains the answer', percent(excerptHolds)]]),
    ...(replyHolds === undefined ? [] : [['reply quotes the answer', percent(replyHolds)]]),
    ['AUROC, right sources against wrong', result.auroc.toFixed(3)],
    ['AUROC, of those that cite a right document', result.aurocCitedRight.toFixed(3)],
    ['`low` without an answer in the documents', percent(lowWithoutAnswer)],
    ['expected calibration error', result.calibrationError.toFixed(3)],
  ];
  const bins = curve.map(({ from, count, meanScore, right }) => [
    `${from.toFixed(1)}–${(from + 0.1).toFixed(1)}`,
    String(count),
    meanScore.toFixed(2),
    percent(right),
  ]);
  return [
    `# Answers: ${corpus}`,
    '',
    `${questionCounts.withAnswer} questions over all documents, ${questionCounts.withoutAnswer} over the documents without the answer; builtin-extractive.`,
    '',
    table(['metric', 'value'], metrics),
    '',
    table(['score', 'answers', 'mean score', 'right'], bins),
    '',
  ].join('\n');
}

const percent = (share: number): string => `${(share * 100).toFixed(1)}%`;
