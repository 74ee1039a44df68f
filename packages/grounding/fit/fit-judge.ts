import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { SupportSigns } from '#evidence/support-signs';
import { readBeir, readDecided } from './beir.ts';
import { type Fitted, fitLogistic } from './fit-logistic.ts';
import { foldOf, halfOf } from './halves.ts';
import { bestUnits, qualityOf } from './quality-of-fit.ts';
import { createRank } from './rank-documents.ts';
import { readRows, type UnitRow } from './read-rows.ts';
import { SIGN_MEANINGS } from './sign-meanings.ts';
import { writeWeights } from './write-weights.ts';

const USAGE = `Usage: npm run fit:judge -w @lectern/llm -- --data DIR

Fits the weights of the builtin judge and writes src/evidence/support-weights.ts. DIR holds the BEIR folders scifact (with
queries_train.jsonl, qrels_train.tsv and claims_labels.jsonl), xquad-en and xquad-de.`;

/** Every so many questions of a XQuAD folder: they are many of few paragraphs. */
const EVERY = 4;
const FOLDS = 5;
const PENALTY = 8;
/** A row of XQuAD counts this much of one of SciFact, of which there are more. */
const XQUAD_WEIGHT = 2;
/** Share of the questions without an answer, of those fitted on, that are to stay below the bound from which on the builtin model answers. */
const HELD_BACK = 0.94;
/** The same for the bound from which on a refusal is held to be needless. */
const PLAIN = 0.98;

const signNames = Object.keys(SIGN_MEANINGS) as (keyof SupportSigns)[];
const valuesOf = ({ signs }: UnitRow) => signNames.map((name) => signs[name]);
const probability = ({ bias, weights }: Fitted, row: UnitRow): number => {
  const logit = valuesOf(row).reduce((sum, value, at) => sum + value * (weights[at] ?? 0), bias);
  return probabilityOf(logit);
};

/** SciFact's training claims, and of XQuAD the questions of one half of the subjects; the other half is only looked at. */
async function fitJudge(data: string): Promise<void> {
  const claims = await readClaims(join(data, 'scifact'));
  const english = await readQuestions(join(data, 'xquad-en'), 'xquad-en');
  const german = await readQuestions(join(data, 'xquad-de'), 'xquad-de');
  const asked = [...english, ...german].filter(({ fold }) => fold === 'fitted');
  const crossed = new Map<UnitRow, number>();
  for (let at = 0; at < FOLDS; at += 1) {
    const name = String(at);
    const fold = fit([...claims.filter((row) => row.fold !== name), ...asked]);
    const left = claims.filter((row) => row.fold === name);
    for (const row of left) crossed.set(row, probability(fold, row));
  }
  const units = fit([...claims, ...asked]);
  const scale = calibrate(claims, (row) => crossed.get(row) ?? 0);
  const fitted = scaled(units, scale);
  for (const [row, score] of crossed) crossed.set(row, probabilityOf(scale.times * logitOf(score) + scale.plus));
  const report = {
    'SciFact, training claims, cross-validated': qualityOf(claims, (row) => crossed.get(row) ?? 0),
    'XQuAD English, subjects left out': qualityOf(leftOut(english), (row) => probability(fitted, row)),
    'XQuAD German, subjects left out': qualityOf(leftOut(german), (row) => probability(fitted, row)),
  };
  for (const [name, { questions, picksRight, aurocHalf, aurocClosest }] of Object.entries(report)) {
    const figures = [picksRight, aurocHalf, aurocClosest].map((figure) => figure.toFixed(3));
    say(
      `${name}: ${questions} questions; picks a right document ${figures[0]}; AUROC ${figures[1]}, against the closest ${figures[2]}`,
    );
  }
  const unanswered = bestUnits(claims, (row) => crossed.get(row) ?? 0).filter(({ row }) => row.among !== 'all');
  const scores = unanswered.map(({ score }) => score).sort((a, b) => a - b);
  const below = (share: number) => scores[Math.floor(share * scores.length)] ?? 1;
  const file = new URL('../src/evidence/support-weights.ts', import.meta.url);
  const bounds = { answerFrom: below(HELD_BACK), plainFrom: below(PLAIN) };
  say(JSON.stringify(bounds));
  await writeFile(file, writeWeights(signNames, fitted, bounds));
}

const leftOut = (rows: readonly UnitRow[]) => rows.filter(({ fold }) => fold === 'left out');

interface Scale {
  readonly times: number;
  readonly plus: number;
}

/**
 * What makes log-odds of any unit into log-odds of the best unit of a question, which is what a reply quotes (Platt, 1999); as many with an answer as
 * without. By scores of rows that were not fitted on.
 */
function calibrate(rows: readonly UnitRow[], scoreOf: (row: UnitRow) => number): Scale {
  const best = bestUnits(rows, scoreOf);
  const right = best.filter(({ row }) => row.answers).length;
  const { bias, weights } = fitLogistic(
    best.map(({ row, score }) => ({
      signs: [logitOf(score)],
      answers: row.answers,
      weight: row.answers ? (best.length - right) / right : 1,
    })),
    0,
  );
  return { times: weights[0] ?? 1, plus: bias };
}

const scaled = ({ bias, weights }: Fitted, { times, plus }: Scale): Fitted => ({
  bias: bias * times + plus,
  weights: weights.map((weight) => weight * times),
});

const logitOf = (probability: number): number => Math.log(probability / (1 - probability));
const probabilityOf = (logit: number): number => 1 / (1 + Math.exp(-logit));

/** As much of what answers as of what does not, whatever there are of each. */
function fit(rows: readonly UnitRow[]): Fitted {
  const weigh = ({ asked }: UnitRow) => (asked.startsWith('scifact') ? 1 : XQUAD_WEIGHT);
  const sum = (answers: boolean) =>
    rows.filter((row) => row.answers === answers).reduce((total, row) => total + weigh(row), 0);
  const balance = sum(false) / sum(true);
  return fitLogistic(
    rows.map((row) => ({
      signs: valuesOf(row),
      answers: row.answers,
      weight: weigh(row) * (row.answers ? balance : 1),
    })),
    PENALTY,
  );
}

async function readClaims(folder: string): Promise<UnitRow[]> {
  const corpus = await readBeir(folder, 'scifact', 'train');
  const decided = await readDecided(folder);
  const rank = createRank(corpus.documents);
  return corpus.questions.flatMap(({ id, text }) => {
    const gold = decided.get(id);
    return gold === undefined ? [] : readRows(corpus, rank, { id, text, gold }, String(foldOf(id) % FOLDS));
  });
}

async function readQuestions(folder: string, name: string): Promise<UnitRow[]> {
  const corpus = await readBeir(folder, name);
  const rank = createRank(corpus.documents);
  const titles = new Map(corpus.documents.map(({ id, title }) => [id, title]));
  return corpus.questions
    .filter((_, at) => at % EVERY === 0)
    .flatMap((question) => {
      const subject = titles.get([...question.gold][0] ?? '') ?? '';
      return readRows(corpus, rank, question, halfOf(subject) === 0 ? 'fitted' : 'left out');
    });
}

const say = (line: string) => void process.stdout.write(`${line}\n`);

const { values } = parseArgs({ options: { data: { type: 'string' }, help: { type: 'boolean' } } });
if (values.help || values.data === undefined) say(USAGE);
else await fitJudge(values.data);
