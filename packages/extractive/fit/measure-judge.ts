import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { classifyShape, scoreAnswer } from '@lectern/grounding';
import { auroc, createRank, halfOf, readBeir, readDecided, toSource } from '@lectern/grounding/fit';
import { collectReply } from '@lectern/llm';
import { createExtractiveModel } from '#extractive-model';

const USAGE = `Usage: npm run measure:judge -w @lectern/extractive -- --data DIR

Measures the built-in model's answers to SciFact's test claims, which were not used to fit the judge. Each claim is evaluated with all documents,
with the closest ones that do not decide it, and with the half without a decisive one, ranked by BM25. DIR is the BEIR folder scifact.`;

/** The number of documents per claim, the same as chat retrieves for a fact. */
const DOCUMENTS = 6;

interface Answer {
  readonly score: number;
  readonly low: boolean;
  readonly citesRight: boolean;
}

const model = createExtractiveModel();

async function measure(folder: string): Promise<void> {
  const corpus = await readBeir(folder, 'scifact');
  const decided = await readDecided(folder);
  const rank = createRank(corpus.documents);
  const answers: Record<'all' | 'closest' | 'half', Answer[]> = { all: [], closest: [], half: [] };
  for (const { id, text } of corpus.questions) {
    const gold = decided.get(id);
    if (gold === undefined) continue;
    const answer = (keep: (document: string) => boolean) =>
      answerFrom(text, gold, rank(text, DOCUMENTS, keep).map(toSource));
    answers.all.push(await answer(() => true));
    answers.closest.push(await answer((document) => !gold.has(document)));
    const [half, ...others] = new Set([...gold].map(halfOf));
    if (others.length === 0) answers.half.push(await answer((document) => halfOf(document) !== half));
  }
  const { all, closest, half } = answers;
  const cited = all.filter(({ citesRight }) => citesRight);
  print(`${all.length} claims, ${cited.length} answers cite a decisive document`);
  for (const [name, wrong] of [
    ['closest documents', closest],
    ['half without', half],
  ] as const) {
    const metrics = [all, cited].map((right) =>
      auroc(
        right.map(({ score }) => score),
        wrong.map(({ score }) => score),
      ),
    );
    const low = wrong.filter((one) => one.low).length / wrong.length;
    print(
      `${name}: AUROC ${metrics[0]?.toFixed(3)}, of correct citations ${metrics[1]?.toFixed(3)}; low ${(100 * low).toFixed(1)}%`,
    );
  }
}

async function answerFrom(
  question: string,
  gold: ReadonlySet<string>,
  sources: readonly ReturnType<typeof toSource>[],
): Promise<Answer> {
  const shape = classifyShape(question);
  const messages = [{ role: 'user', content: [{ type: 'text', text: question }] }] as const;
  const { signal } = new AbortController();
  const request = { messages, question, sources, maxTokens: 1_024, shape: shape.shape };
  const { text: reply, citations } = await collectReply(model.stream(request, { signal }));
  const { score, label } = await scoreAnswer({ question, reply, citations, sources, shape });
  return { score, low: label === 'low', citesRight: citations.some(({ sourceId }) => gold.has(sourceId)) };
}

const print = (line: string) => void process.stdout.write(`${line}\n`);

const { values } = parseArgs({ options: { data: { type: 'string' }, help: { type: 'boolean' } } });
if (values.help || values.data === undefined) print(USAGE);
else await measure(join(values.data));
