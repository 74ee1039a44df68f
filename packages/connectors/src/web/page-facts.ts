import { createHash } from 'node:crypto';
import { Tokenizer } from 'htmlparser2';
import { linkTarget, MAX_URL_LENGTH } from '#web/crawl-url';
import { directivesOf } from '#web/robots-directives';

const MAX_LINKS = 5_000;
const MAX_TITLE = 500;
/** Enough for a list of directives; a URL is shorter. */
const MAX_VALUE = 2 * MAX_URL_LENGTH;

/** What the crawler needs to know about a page. The text itself is parsed elsewhere. */
export interface PageFacts {
  readonly title: string;
  /** The distinct link targets, in order. */
  readonly links: readonly URL[];
  /** True if the page has more links than the limit. */
  readonly hasMoreLinks: boolean;
  readonly canonical: URL | undefined;
  readonly noindex: boolean;
  readonly nofollow: boolean;
  /** A hash of the title and the visible text: scripts, tokens and markup do not change it. */
  readonly textHash: string;
}

type Attributes = ReadonlyMap<string, string>;

const wordsOf = (text: string | undefined): readonly string[] => (text ?? '').toLowerCase().split(/\s+/);

/** Returns the URL in the value of `<meta http-equiv=refresh>`. */
function refreshTarget(content: string): string | undefined {
  const at = content.search(/[;,]/);
  const target = at < 0 ? '' : content.slice(at + 1).trim();
  const url = /^url\s{0,9}=/i.test(target) ? target.slice(target.indexOf('=') + 1).trim() : target;
  return url === '' ? undefined : url.replace(/^["']|["']$/g, '');
}

/** Collects the tags and the text of a page. */
class PageReader {
  readonly #html: string;
  readonly #text = createHash('sha256');
  readonly #hrefs = new Set<string>();
  #base: string | undefined;
  #canonical: string | undefined;
  #robots: string[] = [];
  #title = '';
  #hasTitle = false;
  #hasMoreLinks = false;
  #unseen: string | undefined;

  constructor(html: string) {
    this.#html = html;
  }

  read(): void {
    let tag = '';
    let name = '';
    let value = '';
    let attributes = new Map<string, string>();
    const tagEnds = () => this.#tag(tag, attributes);
    const ignore = () => undefined;
    const slice = (start: number, end: number) => this.#html.slice(start, end);
    const append = (text: string) => {
      if (value.length < MAX_VALUE) value += text.slice(0, MAX_VALUE);
    };
    // The tokenizer works in linear time, unlike a parser, which looks for the matching tags.
    const tokenizer = new Tokenizer(
      { decodeEntities: true },
      {
        onopentagname: (start, end) => {
          tag = slice(start, Math.min(end, start + 50)).toLowerCase();
          attributes = new Map();
        },
        onattribname: (start, end) => {
          name = slice(start, Math.min(end, start + 50)).toLowerCase();
          value = '';
        },
        onattribdata: (start, end) => append(slice(start, Math.min(end, start + MAX_VALUE))),
        onattribentity: (codePoint) => append(String.fromCodePoint(codePoint)),
        onattribend: () => {
          if (attributes.size < 50 && !attributes.has(name)) attributes.set(name, value);
        },
        onopentagend: tagEnds,
        onselfclosingtag: tagEnds,
        onclosetag: (start, end) => this.#closes(slice(start, Math.min(end, start + 50)).toLowerCase()),
        ontext: (start, end) => this.#textPiece(slice(start, end)),
        ontextentity: (codePoint) => this.#textPiece(String.fromCodePoint(codePoint)),
        oncdata: ignore,
        oncomment: ignore,
        ondeclaration: ignore,
        onprocessinginstruction: ignore,
        onend: ignore,
      },
    );
    tokenizer.write(this.#html);
    tokenizer.end();
  }

  #closes(name: string): void {
    if (name === this.#unseen) this.#unseen = undefined;
    if (name === 'title') this.#hasTitle = this.#title.trim() !== '';
  }

  #textPiece(text: string): void {
    if (this.#unseen === 'title') {
      if (!this.#hasTitle && this.#title.length < MAX_TITLE) this.#title += text.slice(0, MAX_TITLE);
    } else if (this.#unseen === undefined) {
      const words = text.replace(/\s+/g, ' ');
      if (words !== ' ' && words !== '') this.#text.update(words);
    }
  }

  #tag(tag: string, attributes: Attributes): void {
    if (tag === 'script' || tag === 'style' || tag === 'title') this.#unseen = tag;
    const href = attributes.get('href')?.trim();
    const rel = wordsOf(attributes.get('rel'));
    if (tag === 'meta') this.#meta(attributes);
    else if (tag === 'frame' || tag === 'iframe') this.#link(attributes.get('src'));
    else if (href === undefined) return;
    else if (tag === 'base') this.#base ??= href;
    else if (tag === 'link' && rel.includes('canonical')) this.#canonical ??= href;
    else if ((tag === 'a' || tag === 'area') && !rel.includes('nofollow')) this.#link(href);
  }

  #meta(attributes: Attributes): void {
    const content = attributes.get('content') ?? '';
    const name = attributes.get('name')?.trim().toLowerCase();
    if (name === 'robots' || name === 'lectern') this.#robots.push(content);
    if (attributes.get('http-equiv')?.trim().toLowerCase() === 'refresh') this.#link(refreshTarget(content));
  }

  #link(href: string | undefined): void {
    if (href === undefined || href === '' || href.startsWith('#') || href.length > MAX_URL_LENGTH) return;
    if (this.#hrefs.size < MAX_LINKS || this.#hrefs.has(href)) this.#hrefs.add(href);
    else this.#hasMoreLinks = true;
  }

  facts(url: URL): PageFacts {
    const base = (this.#base === undefined ? undefined : linkTarget(this.#base, url.href)) ?? url;
    const targets = [...this.#hrefs].flatMap((href) => linkTarget(href, base.href) ?? []);
    const { noindex, nofollow } = directivesOf(this.#robots.map((text) => ({ text, named: false })));
    const title = this.#title.replace(/\s+/g, ' ').trim().slice(0, MAX_TITLE);
    return {
      title,
      links: [...new Map(targets.map((target) => [target.href, target])).values()],
      hasMoreLinks: this.#hasMoreLinks,
      canonical: this.#canonical === undefined ? undefined : linkTarget(this.#canonical, base.href),
      noindex,
      nofollow,
      textHash: this.#text.update(`\0${title}`).digest('hex'),
    };
  }
}

/** Reads the facts of a page. Never throws, and takes time in proportion to its size. */
export function pageFacts(html: string, url: URL): PageFacts {
  const reader = new PageReader(html);
  reader.read();
  return reader.facts(url);
}
