import { Parser } from 'htmlparser2';

/** Elements that are kept. Of others, only the text is kept. */
const KEPT: ReadonlySet<string> = new Set(
  'a b blockquote br code dd del div dl dt em h1 h2 h3 h4 h5 h6 hr i ins li ol p pre s strong sub sup table tbody td tfoot th thead tr tt u ul'.split(
    ' ',
  ),
);
/** Elements whose text is not visible. */
const INVISIBLE: ReadonlySet<string> = new Set(['script', 'style', 'template', 'head', 'title', 'iframe', 'object']);
const VOID: ReadonlySet<string> = new Set(['br', 'hr']);
const HIDDEN_STYLE = /display\s*:\s*none|visibility\s*:\s*hidden/i;
/** Of elements that are nested deeper, only the text is kept. */
const MAX_DEPTH = 100;

/** A parser takes quadratic time for deeper elements. */
const MAX_PARSER_DEPTH = 1_000;

class TooDeep extends Error {}

type Attributes = Readonly<Record<string, string>>;

export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** Converts plain text: empty lines separate paragraphs. */
export const textToHtml = (text: string): string =>
  `<p>${escapeHtml(text.trim())
    .replace(/(?:\r?\n){2,}/g, '</p><p>')
    .replace(/\r?\n/g, '<br>')}</p>`;

export interface CleanHtmlOptions {
  /** Returns text to write before the content of an element, for example for an emoji. */
  readonly textBefore?: (name: string, attributes: Attributes) => string | undefined;
  /**
   * The level of the largest heading; smaller ones follow. Larger headings belong to the document, so
   * that a text cannot look like another part of it.
   */
  readonly topHeading?: number;
  /** Returns marks to write around a visible element: characters from U+FDD0, which no text contains. */
  readonly marksAround?: (name: string, attributes: Attributes) => readonly [before: string, after: string] | undefined;
}

/** Elements of blocks of code: Teams has its own. */
const isCodeBlock = (name: string): boolean => name === 'pre' || name === 'codeblock';

/** Starts a block of code. Jira names the language in `<pre class="code-java">`. */
function codeStart(name: string, className = ''): string {
  const pattern = name === 'pre' ? /(?:^|\s)code-([\w+#-]+)/ : /^([\w+#-]+)$/;
  const language = pattern.exec(className)?.[1];
  return language === undefined ? '<pre><code>' : `<pre><code class="language-${language.toLowerCase()}">`;
}

const isHidden = (name: string, attributes: Attributes): boolean =>
  INVISIBLE.has(name) || 'hidden' in attributes || HIDDEN_STYLE.test(attributes.style ?? '');

const MARKS = /[\uFDD0-\uFDEF]/g;

const textHtml = (text: string): string => escapeHtml(text.replace(MARKS, ''));

/** Returns the name under which an element is written. */
function writtenName(name: string, topHeading: number): string {
  const level = /^h([1-6])$/.exec(name)?.[1];
  return level === undefined ? name : `h${Math.min(6, Number(level) + topHeading - 1)}`;
}

/** What closing an element does. */
interface Open {
  readonly close: string;
  readonly hides: boolean;
  readonly isCode: boolean;
}

/**
 * Returns HTML with balanced elements and without attributes, so that no text can end or hide what
 * follows it in the document.
 */
export function cleanHtml(html: string, { textBefore, topHeading = 1, marksAround }: CleanHtmlOptions = {}): string {
  let out = '';
  let invisible = 0;
  let code = 0;
  const open: Open[] = [];
  const close = () => {
    const closed = open.pop();
    if (closed === undefined) return;
    out += closed.close;
    if (closed.hides) invisible -= 1;
    if (closed.isCode) code -= 1;
  };
  let started = 0;
  const handler = {
    onopentag: (name: string, attributes: Attributes) => {
      const hides = isHidden(name, attributes);
      const isKept = KEPT.has(name) && !(name === 'code' && code > 0) && open.length < MAX_DEPTH;
      const isCode = isCodeBlock(name) && open.length < MAX_DEPTH && !hides && invisible === 0;
      if (hides) invisible += 1;
      let closing = '';
      if (invisible === 0) {
        const [before, after] = marksAround?.(name, attributes) ?? ['', ''];
        out += before;
        if (isCode) {
          out += codeStart(name, attributes.class);
          closing = '</code></pre>';
          code += 1;
        } else if (isKept) {
          const written = writtenName(name, topHeading);
          out += `<${written}>`;
          closing = VOID.has(name) ? '' : `</${written}>`;
        }
        closing += after;
        out += textHtml(textBefore?.(name, attributes) ?? '');
      }
      open.push({ close: closing, hides, isCode });
      if (open.length - started > MAX_PARSER_DEPTH) throw new TooDeep();
    },
    ontext: (text: string) => {
      if (invisible === 0) out += textHtml(text);
    },
    onclosetag: close,
  };
  for (let rest = html; rest !== ''; ) {
    const parser = new Parser(handler);
    try {
      parser.end(rest);
      rest = '';
    } catch (error) {
      if (!(error instanceof TooDeep)) throw error;
      // What follows is inside all open elements.
      rest = rest.slice(parser.endIndex + 1);
      started = open.length;
    }
  }
  while (open.length > 0) close();
  return out;
}

/** Returns the text of cleaned HTML in one line. */
export function textOfHtml(html: string): string {
  let text = '';
  const parser = new Parser({
    onopentagname: () => {
      text += ' ';
    },
    ontext: (part) => {
      text += part;
    },
  });
  parser.end(html);
  return text.replace(/\s+/g, ' ').trim();
}

/** Writes a page: a heading, and a body of cleaned HTML. */
export function htmlPage(title: string, parts: readonly string[]): string {
  const heading = escapeHtml(title);
  const body = [`<h1>${heading}</h1>`, ...parts].join('\n');
  return `<!doctype html>\n<html><head><meta charset="utf-8"><title>${heading}</title></head><body><main>\n${body}\n</main></body></html>\n`;
}
