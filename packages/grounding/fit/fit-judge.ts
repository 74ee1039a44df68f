import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { SupportFeatures } from '#evidence/support-features';
import { readBeir, readDecided } from './beir.ts';
import { FEATURE_DESCRIPTIONS } from './feature-descriptions.ts';
import { type Fitted, fitLogistic } from './fit-logistic.ts';
import { bestUnits, qualityOf } from './fit-quality.ts';
import { foldOf, halfOf } from './halves.ts';
import { createRank } from './rank-documents.ts';
import { readRows, type UnitRow } from './read-rows.ts';
import { writeWeights } from './write-weights.ts';

const USAGE = `Usage: npm run fit:judge -w @lectern/grounding -- --data DIR

Fits the weights of the support judge and writes src/evidence/support-weights.ts. DIR contains the BEIR folders scifact (with
queries_train.jsonl, qrels_train.tsv and claims_labels.jsonl), xquad-en and xquad-de.`;

/** Every nth question of an XQuAD folder, which has many questions about few paragraphs. */
const EVERY = 4;
const FOLDS = 5;
const PENALTY = 8;
/** The weight of an XQuAD row relative to one of SciFact, which has more rows. */
const XQUAD_WEIGHT = 2;
/** The share of training questions without an answer that the built-in model must not answer. */
const NOT_ANSWERED = 0.94;
/** The share of these questions for which a refusal must not count as needless. */
const REFUSED = 0.98;

const featureNames = Object.keys(FEATURE_DESCRIPTIONS) as (keyof SupportFeatures)[];
const valuesOf = ({ features }: UnitRow) => featureNames.map((name) => features[name]);
const probability = ({ bias, weights }: Fitted, row: UnitRow): number => {
  const logit = valuesOf(row).reduce((sum, value, at) => sum + value * (weights[at] ?? 0), bias);
  return probabilityOf(logit);
};

/**
 * Fits on SciFact's training claims and half of XQuAD's subjects. The other half is only evaluated.
 */
async function fitJudge(data: string): Promise<void> {
  const claims = await readClaims(join(data, 'scifact'));
  const english = await readQuestions(join(data, 'xquad-en'), 'xquad-en');
  const german = await readQuestions(join(data, 'xquad-de'), 'xquad-de');
  const trained = [...english, ...german].filter(({ fold }) => fold === 'fitted');
  const crossed = new Map<UnitRow, number>();
  for (let at = 0; at < FOLDS; at += 1) {
    const name = String(at);
    const fold = fit([...claims.filter((row) => row.fold !== name), ...trained]);
    const heldOut = claims.filter((row) => row.fold === name);
    for (const row of heldOut) crossed.set(row, probability(fold, row));
  }
  const units = fit([...claims, ...trained]);
  const scale = calibrate(claims, (row) => crossed.get(row) ?? 0);
  const fitted = scaled(units, scale);
  for (const [row, score] of crossed) crossed.set(row, probabilityOf(scale.times * logitOf(score) + scale.plus));
  const report = {
    'SciFact, training claims, cross-validated': qualityOf(claims, (row) => crossed.get(row) ?? 0),
    'XQuAD English, subjects left out': qualityOf(leftOut(english), (row) => probability(fitted, row)),
    'XQuAD German, subjects left out': qualityOf(leftOut(german), (row) => probability(fitted, row)),
  };
  for (const [name, { questions, accuracy, aurocHalf, aurocClosest }] of Object.entries(report)) {
    const metrics = [accuracy, aurocHalf, aurocClosest].map((metric) => metric.toFixed(3));
    print(
      `${name}: ${questions} questions; picks a right document ${metrics[0]}; AUROC ${metrics[1]}, against the closest ${metrics[2]}`,
    );
  }
  const unanswered = bestUnits(claims, (row) => crossed.get(row) ?? 0).filter(({ row }) => row.documentSet !== 'all');
  const scores = unanswered.map(({ score }) => score).sort((a, b) => a - b);
  const below = (share: number) => scores[Math.floor(share * scores.length)] ?? 1;
  const file = new URL('../src/evidence/support-weights.ts', import.meta.url);
  const thresholds = { minAnswerProbability: below(NOT_ANSWERED), minNeedlessRefusalProbability: below(REFUSED) };
  print(JSON.stringify(thresholds));
  await writeFile(file, writeWeights(featureNames, fitted, thresholds));
}

const leftOut = (rows: readonly UnitRow[]) => rows.filter(({ fold }) => fold === 'left out');

interface Scale {
  readonly times: number;
  readonly plus: number;
}

/**
 * Fits Platt scaling (1999) from the log-odds of any unit to those of the best unit of a question,
 * which a reply quotes. Answers and non-answers have equal weight. Uses scores of held-out rows.
 */
function calibrate(rows: readonly UnitRow[], scoreOf: (row: UnitRow) => number): Scale {
  const best = bestUnits(rows, scoreOf);
  const right = best.filter(({ row }) => row.answers).length;
  const { bias, weights } = fitLogistic(
    best.map(({ row, score }) => ({
      features: [logitOf(score)],
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

/** Fits with equal total weight for answers and non-answers. */
function fit(rows: readonly UnitRow[]): Fitted {
  const weigh = ({ questionKey }: UnitRow) => (questionKey.startsWith('scifact') ? 1 : XQUAD_WEIGHT);
  const sum = (answers: boolean) =>
    rows.filter((row) => row.answers === answers).reduce((total, row) => total + weigh(row), 0);
  const balance = sum(false) / sum(true);
  return fitLogistic(
    rows.map((row) => ({
      features: valuesOf(row),
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

const print = (line: string) => void process.stdout.write(`${line}\n`);

const { values } = parseArgs({ options: { data: { type: 'string' }, help: { type: 'boolean' } } });
if (values.help || values.data === undefined) print(USAGE);
else await fitJudge(values.data);
