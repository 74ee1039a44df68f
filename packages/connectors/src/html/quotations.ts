/** A line of plain text, or the text of an element or line of HTML. */
export interface Block {
  readonly isQuoted: boolean;
  /** True if the mail program marks it as the line above a quotation. */
  readonly isAttribution: boolean;
  readonly text: string;
}

const QUOTE_CLASS = /(?:^|\s)(?:gmail_quote|yahoo_quoted|protonmail_quote)(?:\s|$)/;
const ATTRIBUTION_CLASS = /(?:^|\s)(?:gmail_attr|moz-cite-prefix)(?:\s|$)/;
/** Outlook marks only where the quotation begins; it lasts until the end. */
const TAIL_ID = /^(?:x_)*(?:divRplyFwdMsg|appendonsend|mail-editor-reference-message-container)$/;

/** Mark the borders in cleaned HTML, which never contains these characters itself. */
const QUOTE_START = '\uFDD0';
const QUOTE_END = '\uFDD1';
const ATTRIBUTION_START = '\uFDD2';
const ATTRIBUTION_END = '\uFDD3';

/** Marks the quotations while HTML is cleaned. Before that, hidden elements can reach across borders. */
export function quotationMarks(
  name: string,
  attributes: Readonly<Record<string, string>>,
): readonly [before: string, after: string] | undefined {
  if (TAIL_ID.test(attributes.id ?? '')) return [QUOTE_START, ''];
  if (ATTRIBUTION_CLASS.test(attributes.class ?? '')) return [ATTRIBUTION_START, ATTRIBUTION_END];
  if (name === 'blockquote' || QUOTE_CLASS.test(attributes.class ?? '')) return [QUOTE_START, QUOTE_END];
  return undefined;
}

const INLINE: ReadonlySet<string> = new Set('a b code del em i ins s strong sub sup tt u'.split(' '));
const CELLS: ReadonlySet<string> = new Set(['td', 'th']);
const VOID: ReadonlySet<string> = new Set(['br', 'hr']);

const decodeEntities = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');

/** A tag, or text with the number of its block; undefined for white space between blocks. */
type Token =
  | { readonly tag: string; readonly name: string; readonly closes: boolean }
  | { readonly text: string; readonly block: number | undefined };

/** HTML that `cleanHtml` returned with `quotationMarks`. */
export interface MarkedHtml {
  readonly tokens: readonly Token[];
  readonly blocks: readonly Block[];
}

export function readMarkedHtml(marked: string): MarkedHtml {
  const tokens: Token[] = [];
  const blocks: { isQuoted: boolean; isAttribution: boolean; text: string }[] = [];
  let quotes = 0;
  let attributions = 0;
  let block: number | undefined;
  for (const [part] of marked.matchAll(/<[^>]*>|[\uFDD0-\uFDD3]|[^<\uFDD0-\uFDD3]+/g)) {
    if (part.startsWith('<')) {
      const name = /^<\/?([a-z\d]+)/.exec(part)?.[1] ?? '';
      if (!INLINE.has(name)) block = undefined;
      tokens.push({ tag: part, name, closes: part.startsWith('</') });
    } else if (part >= QUOTE_START && part <= ATTRIBUTION_END && part.length === 1) {
      if (part === QUOTE_START) quotes += 1;
      else if (part === QUOTE_END) quotes -= 1;
      else attributions += part === ATTRIBUTION_START ? 1 : -1;
      block = undefined;
    } else {
      if (block === undefined && part.trim() !== '') {
        const isAttribution = attributions > 0;
        block = blocks.push({ isQuoted: quotes > 0 || isAttribution, isAttribution, text: '' }) - 1;
      }
      const current = block === undefined ? undefined : blocks[block];
      if (current !== undefined) current.text += decodeEntities(part);
      tokens.push({ text: part, block });
    }
  }
  return { tokens, blocks };
}

/** Writes the blocks that are kept. Elements that become empty are left out with them. */
export function writeHtml({ tokens }: MarkedHtml, kept: readonly boolean[]): string {
  if (!kept.includes(true)) return '';
  const out: string[] = [];
  const open: { readonly at: number; hasText: boolean; lostText: boolean }[] = [
    { at: 0, hasText: false, lostText: false },
  ];
  let afterLost = false;
  for (const token of tokens) {
    const parent = open.at(-1);
    if (!('tag' in token)) {
      const isLost = token.block !== undefined && kept[token.block] === false;
      if (isLost && parent !== undefined) parent.lostText = true;
      if (token.block !== undefined) afterLost = isLost;
      if (!isLost) out.push(token.text);
      if (!isLost && token.block !== undefined && parent !== undefined) parent.hasText = true;
    } else if (VOID.has(token.name)) {
      if (!afterLost) out.push(token.tag);
    } else if (!token.closes) {
      open.push({ at: out.length, hasText: false, lostText: false });
      out.push(token.tag);
    } else {
      const element = open.pop();
      const outer = open.at(-1);
      if (element === undefined || outer === undefined) continue;
      // Without its empty cells, a row has other columns.
      if (!element.hasText && element.lostText && !CELLS.has(token.name)) out.length = element.at;
      else out.push(token.tag);
      outer.hasText ||= element.hasText;
      outer.lostText ||= element.lostText;
    }
  }
  return out.join('');
}

const isQuotedLine = (line: string): boolean => line.startsWith('>');

const ADDRESS = /<[^<>\s]+@[^<>\s]+>/;
const TIME = /(?<!\d)\d{1,2}[:.h]\d{2}(?!\d)/;
const YEAR = /(?<!\d)(?:19|20)\d{2}(?!\d)/;

/**
 * A line like `On Monday, Ada <ada@example.com> wrote:` in any language. It has an address, or a day
 * and a time, so that a sentence with a number is not one.
 */
const isAttribution = (line: string): boolean =>
  line.length <= 300 && /:\s*$/.test(line) && (ADDRESS.test(line) || (YEAR.test(line) && TIME.test(line)));

/** Returns the lines of plain text. A quotation includes its attribution. */
export function plainBlocks(text: string): readonly Block[] {
  const lines = text.split(/\r\n|\r|\n/);
  const blocks = lines.map((line) => ({ isQuoted: isQuotedLine(line), isAttribution: false, text: line }));
  let above: number | undefined;
  for (const [at, block] of blocks.entries()) {
    if (!block.isQuoted) {
      if (block.text.trim() !== '') above = at;
      continue;
    }
    if (above !== undefined && isAttribution(lines[above] ?? '')) {
      for (const line of blocks.slice(above, at)) line.isQuoted = true;
    }
    above = undefined;
  }
  return blocks;
}

/** Words in a row that are compared. */
const RUN = 3;
/** Bounds the memory of a thread. */
const MAX_RUNS = 1_000_000;
/** Lines like `Subject: Offer`, with which Outlook begins a quotation. */
const MAX_HEADER_LINES = 10;

const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

const runAt = (words: readonly string[], at: number, length: number): string => words.slice(at, at + length).join(' ');

const isHeaderLine = ({ text }: Block): boolean => /^[\s>*]*\p{L}[\p{L} -]{0,20}:\*?\s/u.test(text);
const isRule = ({ text }: Block): boolean => text.length <= 100 && /^[\s>]*-{2,}.*-{2,}\s*$/.test(text);

/** True for each block that a mail program writes above a quotation, or that has no words. */
function framesOf(region: readonly Block[]): boolean[] {
  const frames = region.map(
    (block) =>
      isRule(block) ||
      isAttribution(block.text) ||
      (block.isAttribution && block.text.length <= 300 && /:\s*$/.test(block.text)) ||
      wordsOf(block.text).length === 0,
  );
  const start = frames.indexOf(false);
  const rest = start < 0 ? [] : region.slice(start, start + MAX_HEADER_LINES);
  const end = rest.findIndex((block) => wordsOf(block.text).length > 0 && !isHeaderLine(block));
  const header = rest.slice(0, end < 0 ? rest.length : end);
  const names = header.some(({ text }) => text.includes('@') || TIME.test(text));
  if (header.filter(isHeaderLine).length >= 2 && names) frames.fill(true, start, start + header.length);
  return frames;
}

/** What earlier messages of a thread contain. */
export interface EarlierText {
  add(text: string): void;
  /**
   * Returns for each block of a message whether it is kept: all but the blocks of quotations of
   * which each word is repeated. So an answer inside a quotation is kept.
   */
  kept(blocks: readonly Block[]): readonly boolean[];
}

export function createEarlierText(): EarlierText {
  const runs = new Set<string>();

  /** Returns the blocks of which each word belongs to a run of earlier messages. */
  const repeated = (region: readonly Block[], chosen: readonly number[]): ReadonlySet<number> => {
    const words: string[] = [];
    const ends = chosen.map((at) => {
      for (const word of wordsOf(region[at]?.text ?? '')) words.push(word);
      return words.length;
    });
    const length = Math.min(RUN, words.length);
    /** How many of the first words are repeated. */
    const counts = [0];
    let until = 0;
    for (let at = 0; at < words.length; at += 1) {
      if (at + length <= words.length && runs.has(runAt(words, at, length))) until = at + length;
      counts.push((counts[at] ?? 0) + (at < until ? 1 : 0));
    }
    return new Set(
      chosen.filter((_, n) => {
        const [from, to] = [ends[n - 1] ?? 0, ends[n] ?? 0];
        return (counts[to] ?? 0) - (counts[from] ?? 0) === to - from;
      }),
    );
  };

  const keptOf = (region: readonly Block[]): readonly boolean[] => {
    const frames = framesOf(region);
    const all = [...region.keys()];
    const texts = all.filter((at) => frames[at] !== true);
    const [withFrames, without] = [repeated(region, all), repeated(region, texts)];
    const keeps = new Map(texts.map((at) => [at, !(withFrames.has(at) || without.has(at))]));
    // What is above a text goes with it; what is below the last text goes with that.
    const kept: boolean[] = [];
    let next = keeps.get(texts.at(-1) ?? -1) ?? true;
    for (const at of all.toReversed()) {
      next = keeps.get(at) ?? next;
      kept.push(next);
    }
    return kept.reverse();
  };

  return {
    add: (text) => {
      const words = wordsOf(text);
      // A quotation can be shorter than a run.
      for (let length = 1; length <= RUN; length += 1) {
        for (let at = 0; at + length <= words.length && runs.size < MAX_RUNS; at += 1) {
          runs.add(runAt(words, at, length));
        }
      }
    },
    kept: (blocks) => {
      const kept: boolean[] = [];
      for (let at = 0; at < blocks.length; ) {
        let end = at;
        while (blocks[end]?.isQuoted === true) end += 1;
        if (end === at) kept.push(true);
        else for (const keeps of keptOf(blocks.slice(at, end))) kept.push(keeps);
        at = Math.max(end, at + 1);
      }
      return kept;
    },
  };
}
