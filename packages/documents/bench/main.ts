import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { parseBytes } from '#formats/parse-bytes';
import { recognizePage } from '#formats/recognize-page';
import { createParserPool } from '#index';
import {
  cellRates,
  type DrawnPage,
  drawnPdf,
  groupedTable,
  groupStyles,
  otherPage,
  otherPageNames,
  scoreTables,
  tablePage,
  tableStyles,
  tablesOfText,
} from '../tests/drawn-pages.ts';
import {
  characterErrorRate,
  cropTop,
  degrade,
  type Gray,
  renderLines,
  scanPdf,
  textPdf,
  wrap,
} from '../tests/page-images.ts';

const { values: options } = parseArgs({
  options: {
    texts: { type: 'string', default: join(import.meta.dirname, '../../../docs') },
    pages: { type: 'string', default: '8' },
    'text-pages': { type: 'string', default: '2000' },
    'scan-pages': { type: 'string', default: '500' },
    languages: { type: 'string', default: 'eng,deu' },
    help: { type: 'boolean', default: false },
  },
});

const usage = `npm run bench:pdf -- [--texts DIR] [--pages 8] [--text-pages 2000] [--scan-pages 500] [--languages eng,deu]

Renders pages of the texts (*.md, *.txt) at 300 dpi, recognizes them, and prints the character error
rate: of the clean pages, and of the same pages skewed by 2°, with noise, at 150 dpi. It also prints
the pages per second of CPU time, for a PDF with text and for the scans.

Then it draws random tables, and random pages without tables (columns of prose, tables of contents,
forms, lists, code), and prints how many cells are found, and how many of the found ones are right.

Last it reads a scan of many small pages in a parser pool, and text files at the same time, and prints
how long the text files take with and without the scan.
`;

/** The bars that the text recognition must meet. */
const bars = { clean: 0.02, degraded: 0.06, textPagesPerSecond: 20, cells: 0.97, otherPages: 0.01 } as const;

const linesPerPage = 48;
const styles = [
  { font: 'Helvetica', size: 11, chars: 84 },
  { font: 'Times-Roman', size: 11, chars: 92 },
  { font: 'Courier', size: 10, chars: 72 },
] as const;

/** Returns the prose of a Markdown file in Latin-1: the generated PDFs have no other letters. */
const proseOf = (text: string): string =>
  text
    .replace(/```[\s\S]*?```/g, ' ')
    .replace(/^\|.*$/gm, ' ')
    .replace(/\]\([^)]*\)/g, ']')
    .replace(/[`*_#|[\]<>\\]/g, ' ')
    .replace(/[‘’]/g, "'")
    .replace(/[“”„]/g, '"')
    .replace(/[–—]/g, '-')
    .replace(/[^\s -~\u00c0-\u00ff]/g, ' ');

const readTexts = async (folder: string): Promise<string> => {
  const names = (await readdir(folder)).filter((name) => /\.(md|txt)$/.test(name)).sort();
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  return texts.map(proseOf).join('\n');
};

interface Sample {
  readonly lines: readonly string[];
  readonly clean: Gray;
  readonly degraded: Gray;
}

/** Takes pages from all over the text, in turns of the styles. */
const renderSamples = async (text: string, count: number): Promise<Sample[]> => {
  const samples: Sample[] = [];
  for (let index = 0; index < count; index++) {
    const style = styles[index % styles.length] ?? styles[0];
    const lines = wrap(text, style.chars);
    const from = Math.floor((index / count) * Math.max(0, lines.length - linesPerPage));
    const page = lines.slice(from, from + linesPerPage);
    const clean = await renderLines(page, style.size, style.font);
    samples.push({ lines: page, clean, degraded: degrade(clean, { seed: index + 1 }) });
  }
  return samples;
};

const percent = (share: number): string => `${(share * 100).toFixed(2)}%`;

interface Measured {
  readonly mean: number;
  readonly worst: number;
  readonly confidence: number;
  readonly pagesPerSecond: number;
}

const limits = { maxTextChars: 100_000_000, maxInflatedBytes: 1_000_000_000 };
const maxPixels = 40_000_000;

/** Returns the CPU time of this process in seconds: other programs do not change it. */
const cpuSeconds = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

const measure = async (
  samples: readonly Sample[],
  kind: 'clean' | 'degraded',
  languages: readonly string[],
): Promise<Measured> => {
  const rates: number[] = [];
  const confidences: number[] = [];
  let seconds = 0;
  for (const sample of samples) {
    const file = { bytes: scanPdf([sample[kind]]), fileName: 'scan.pdf' };
    const start = cpuSeconds();
    const page = await recognizePage({ ...file, page: 1, languages, maxPixels });
    const { text } = await parseBytes({ ...file, limits, ocr: { recognized: [page], unreadPages: [] } });
    seconds += cpuSeconds() - start;
    rates.push(characterErrorRate(sample.lines.join(' '), text.replace(/^(?:#+|-) /gm, '')));
    confidences.push(page.confidence);
  }
  return {
    mean: mean(rates),
    worst: Math.max(...rates),
    confidence: mean(confidences),
    pagesPerSecond: samples.length / seconds,
  };
};

const measureText = async (text: string, count: number): Promise<number> => {
  const lines = wrap(text, 84);
  const pages = Array.from({ length: count }, (_, index) => {
    const from = (index * linesPerPage) % Math.max(1, lines.length - linesPerPage);
    return lines.slice(from, from + linesPerPage);
  });
  const parse = (part: typeof pages) => parseBytes({ bytes: textPdf(part), fileName: 'text.pdf', limits });
  await parse(pages.slice(0, 1));
  const start = cpuSeconds();
  await parse(pages);
  return count / (cpuSeconds() - start);
};

interface MeasuredTables {
  readonly recall: number;
  readonly precision: number;
  readonly pagesPerSecond: number;
}

const pagesPerKind = 100;
const seeds = Array.from({ length: pagesPerKind }, (_, index) => index + 1);

const readTables = async (page: DrawnPage): Promise<readonly (readonly (readonly string[])[])[]> =>
  tablesOfText((await parseBytes({ bytes: drawnPdf([page]), fileName: 'tables.pdf', limits })).text);

const measureTables = async (): Promise<MeasuredTables> => {
  const pages = seeds.flatMap((seed) => [
    ...tableStyles.map((style) => tablePage(seed, style)),
    ...groupStyles.map((style) => groupedTable(seed, style)),
  ]);
  const start = cpuSeconds();
  const scores = [];
  for (const page of pages) scores.push(scoreTables(page.tables, await readTables(page)));
  return { ...cellRates(scores), pagesPerSecond: pages.length / (cpuSeconds() - start) };
};

/** Returns the share of pages without tables in which one was found. */
const measureOtherPages = async (): Promise<number> => {
  const pages = seeds.flatMap((seed) => otherPageNames.map((_name, kind) => otherPage(seed, kind)));
  let wrong = 0;
  for (const page of pages) if ((await readTables(page)).length > 0) wrong++;
  return wrong / pages.length;
};

interface MeasuredScan {
  readonly seconds: number;
  /** Pages for which progress was reported. */
  readonly reportedPages: number;
  readonly textFiles: number;
  readonly aloneMs: number;
  readonly duringMs: number;
  readonly slowestMs: number;
}

const filesAlone = 50;
const betweenFilesMs = 250;

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** Reads text files one after the other while a long scan is read. */
const measureScan = async (count: number, languages: string[]): Promise<MeasuredScan> => {
  const lines = [
    'The pump is checked every week.',
    'Unused days expire on 31 March.',
    'Travel costs are paid on receipt.',
  ];
  const pages = await Promise.all(lines.map(async (line) => cropTop(await renderLines([line]), 120)));
  const bytes = scanPdf(Array.from({ length: count }, (_, index) => pages[index % pages.length]));
  const pool = createParserPool({ ocr: { languages, maxPages: count } });
  const textFile = new TextEncoder().encode(lines.join(' ').repeat(200));
  const timeOfText = async (): Promise<number> => {
    const start = performance.now();
    await pool.parse({ bytes: textFile, fileName: 'note.txt' });
    return performance.now() - start;
  };
  try {
    await timeOfText();
    const alone: number[] = [];
    for (let index = 0; index < filesAlone; index++) alone.push(await timeOfText());
    let reports = 0;
    let isRunning = true;
    const start = performance.now();
    const onPage = (): void => {
      reports++;
    };
    const scan = pool.parse({ bytes, fileName: 'scan.pdf' }, { onPage }).finally(() => {
      isRunning = false;
    });
    const during: number[] = [];
    while (isRunning) {
      during.push(await timeOfText());
      await Promise.race([scan, setTimeout(betweenFilesMs)]);
    }
    const { recognition } = await scan;
    if (recognition?.pages.length !== count) throw new Error('Pages of the scan are missing.');
    return {
      seconds: (performance.now() - start) / 1000,
      // Each page is reported when it starts and when it ends.
      reportedPages: reports / 2,
      textFiles: during.length,
      aloneMs: median(alone),
      duringMs: median(during),
      slowestMs: Math.max(...during),
    };
  } finally {
    await pool.close();
  }
};

const print = (line: string): boolean => process.stdout.write(`${line}\n`);

if (options.help) print(usage);
else {
  const text = await readTexts(options.texts);
  const samples = await renderSamples(text, Number(options.pages));
  const languages = options.languages.split(',');
  const textPages = await measureText(text, Number(options['text-pages']));
  const clean = await measure(samples, 'clean', languages);
  const degraded = await measure(samples, 'degraded', languages);
  print('| Pages | CER, mean | CER, worst page | Bar | Mean confidence | Pages/s per core |');
  print('|---|---|---|---|---|---|');
  print(`| PDF with text | | | ≥ ${bars.textPagesPerSecond} pages/s | | ${textPages.toFixed(0)} |`);
  for (const [name, result, bar] of [
    ['scan, 300 dpi', clean, bars.clean],
    ['scan, 150 dpi, 2° skew, noise', degraded, bars.degraded],
  ] as const) {
    const values = [percent(result.mean), percent(result.worst), `≤ ${percent(bar)}`, result.confidence.toFixed(0)];
    print(`| ${name} | ${values.join(' | ')} | ${result.pagesPerSecond.toFixed(2)} |`);
  }
  const tables = await measureTables();
  const wrong = await measureOtherPages();
  print('');
  print('| Tables in PDFs | Measured | Bar |');
  print('|---|---|---|');
  print(`| cells that are found | ${percent(tables.recall)} | ≥ ${percent(bars.cells)} |`);
  print(`| found cells that are right | ${percent(tables.precision)} | ≥ ${percent(bars.cells)} |`);
  print(`| pages without tables that get one | ${percent(wrong)} | ≤ ${percent(bars.otherPages)} |`);
  print(`| pages with tables, pages/s per core | ${tables.pagesPerSecond.toFixed(0)} | ≥ ${bars.textPagesPerSecond} |`);
  const scanPages = Number(options['scan-pages']);
  const scan = await measureScan(scanPages, languages);
  print('');
  print(`| Text files during a scan of ${scanPages} pages | Measured |`);
  print('|---|---|');
  print(`| time of the scan, progress reports | ${scan.seconds.toFixed(0)} s, ${scan.reportedPages} pages |`);
  print(`| text files read in that time | ${scan.textFiles} |`);
  print(`| time of a text file alone, median | ${scan.aloneMs.toFixed(1)} ms |`);
  print(`| time of a text file during the scan, median | ${scan.duringMs.toFixed(1)} ms |`);
  print(`| time of the slowest text file during the scan | ${scan.slowestMs.toFixed(0)} ms |`);
  const areTablesMet =
    Math.min(tables.recall, tables.precision) >= bars.cells &&
    wrong <= bars.otherPages &&
    tables.pagesPerSecond >= bars.textPagesPerSecond;
  const isMet =
    areTablesMet && clean.mean <= bars.clean && degraded.mean <= bars.degraded && textPages >= bars.textPagesPerSecond;
  if (!isMet) process.exitCode = 1;
}
