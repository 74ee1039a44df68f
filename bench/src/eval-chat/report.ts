import type { QuestionSummary } from '@lectern/grounding';
import type { AlteredSummary } from '#eval-chat/summarize-altered';
import { table } from '#report/table';

/** Renders the report of an evaluation of answers as Markdown. */
export function writeChatReport(corpus: string, model: string, summary: QuestionSummary): string {
  const { questionCounts, citesRight, excerptHolds, replyHolds, lowWithoutAnswer, keepsRules, curve } = summary;
  const metrics: string[][] = [
    ['cites a document that answers', percent(citesRight)],
    ...(excerptHolds === undefined ? [] : [['cited passage contains the answer', percent(excerptHolds)]]),
    ...(replyHolds === undefined ? [] : [['reply quotes the answer', percent(replyHolds)]]),
    ['AUROC, right sources against wrong', summary.auroc.toFixed(3)],
    ['AUROC, of those that cite a right document', summary.aurocCitedRight.toFixed(3)],
    ['`low` without an answer in the documents', percent(lowWithoutAnswer)],
    ['abstains without an answer in the documents', percent(summary.abstainsWithoutAnswer)],
    ['abstains although the documents contain the answer', percent(summary.abstainsWithAnswer)],
    ['valid citations, of replies that do not abstain', percent(summary.citesValidly)],
    ...(keepsRules === undefined ? [] : [['replies that keep all quality rules', percent(keepsRules)]]),
    ['replies with a correction', percent(summary.corrected)],
    ['expected calibration error', summary.calibrationError.toFixed(3)],
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
    `${questionCounts.withAnswer} questions over all documents, ${questionCounts.withoutAnswer} over the documents without the answer; ${model}.`,
    '',
    table(['metric', 'value'], metrics),
    '',
    table(['score', 'answers', 'mean score', 'right'], bins),
    '',
  ].join('\n');
}

/** Renders the report of questions whose source was altered as Markdown. */
export function writeAlteredReport(corpus: string, model: string, rows: readonly AlteredSummary[]): string {
  return [
    `# Altered sources: ${corpus}`,
    '',
    `Questions whose answering document was altered, so that it no longer answers them; ${model}.`,
    '',
    table(
      ['altered', 'questions', 'false `high`', '`low`', 'abstains'],
      rows.map(({ kind, count, high, low, abstains }) => [
        kind,
        String(count),
        percent(high),
        percent(low),
        percent(abstains),
      ]),
    ),
    '',
  ].join('\n');
}

const percent = (share: number): string => `${(share * 100).toFixed(1)}%`;
