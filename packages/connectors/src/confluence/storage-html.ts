import { Parser } from 'htmlparser2';

/**
 * Converts Confluence's storage format to HTML. It is XHTML with `ac:` elements for macros, links and
 * tasks, and `ri:` elements for their targets. An HTML parser would lose text in CDATA (code, link
 * texts) and read macro parameters as text.
 * https://confluence.atlassian.com/doc/confluence-storage-format-790796544.html
 */

/** Elements without readable content. */
const DROPPED = new Set(['ac:task-id', 'ac:task-uuid', 'ac:task-status', 'ac:placeholder', 'ac:adf-attribute']);
/** Elements that are replaced by HTML elements. */
const RENAMED: Readonly<Record<string, string>> = {
  'ac:task-list': 'ul',
  'ac:task': 'li',
  'ac:layout-section': 'div',
  'ac:layout-cell': 'div',
  'ac:adf-content': 'div',
  'ac:rich-text-body': 'div',
};
/** Macros with a title above their content. */
const TITLED = new Set(['panel', 'info', 'note', 'tip', 'warning', 'expand', 'code']);
const VOID = new Set(['br', 'hr', 'img', 'col', 'wbr']);

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

interface Macro {
  readonly name: string;
  readonly parameters: Map<string, string>;
}

/** Writes HTML from parser events; one per page. */
class StorageWriter {
  readonly #out: string[] = [];
  readonly #macros: Macro[] = [];
  #dropping = 0;
  #parameter: { readonly name: string; text: string } | undefined;
  #linkTarget: string | undefined;
  #linkHasText = false;

  get html(): string {
    return this.#out.join('');
  }

  #write(text: string): void {
    if (this.#dropping === 0) this.#out.push(text);
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (DROPPED.has(name)) this.#dropping += 1;
    else if (name.startsWith('ac:') || name.startsWith('ri:')) this.#openConfluence(name, attributes);
    else if (name === 'time') this.#write(escapeHtml(attributes.datetime ?? ''));
    else {
      const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeHtml(value)}"`);
      this.#write(`<${name}${written.join('')}>`);
    }
  }

  #openConfluence(name: string, attributes: Readonly<Record<string, string>>): void {
    const macro = this.#macros.at(-1);
    if (name === 'ac:structured-macro' || name === 'ac:macro') {
      this.#macros.push({ name: attributes['ac:name'] ?? '', parameters: new Map() });
    } else if (name === 'ac:parameter') this.#parameter = { name: attributes['ac:name'] ?? '', text: '' };
    else if (name === 'ac:plain-text-body') {
      const language = macro?.parameters.get('language') ?? '';
      this.#title(macro);
      this.#write(`<pre><code${/^[\w+#-]+$/.test(language) ? ` class="language-${language}"` : ''}>`);
    } else if (name === 'ac:rich-text-body') {
      this.#title(macro);
      this.#write('<div>');
    } else if (name === 'ac:link') {
      this.#linkTarget = undefined;
      this.#linkHasText = false;
    } else if (name === 'ri:page' || name === 'ri:blog-post') this.#linkTarget = attributes['ri:content-title'];
    else if (name === 'ri:attachment') this.#linkTarget = attributes['ri:filename'];
    else if (name === 'ac:emoticon') this.#write(escapeHtml(attributes['ac:emoji-fallback'] ?? ''));
    else if (name === 'ac:image' && attributes['ac:alt']) this.#write(escapeHtml(attributes['ac:alt']));
    else if (name in RENAMED) this.#write(`<${RENAMED[name]}>`);
  }

  #title(macro: Macro | undefined): void {
    const title = macro === undefined || !TITLED.has(macro.name) ? undefined : macro.parameters.get('title');
    if (title) this.#write(`<p><strong>${escapeHtml(title)}</strong></p>`);
  }

  text(text: string): void {
    if (this.#parameter !== undefined) {
      this.#parameter.text += text;
      return;
    }
    if (text.trim() !== '') this.#linkHasText = true;
    this.#write(escapeHtml(text));
  }

  close(name: string): void {
    if (DROPPED.has(name)) this.#dropping -= 1;
    else if (name.startsWith('ac:') || name.startsWith('ri:')) this.#closeConfluence(name);
    else if (name !== 'time' && !VOID.has(name)) this.#write(`</${name}>`);
  }

  #closeConfluence(name: string): void {
    const macro = this.#macros.at(-1);
    if (name === 'ac:structured-macro' || name === 'ac:macro') {
      // The text of a status is its title.
      if (macro?.name === 'status') this.#write(escapeHtml(macro.parameters.get('title') ?? ''));
      this.#macros.pop();
    } else if (name === 'ac:parameter' && this.#parameter !== undefined) {
      macro?.parameters.set(this.#parameter.name, this.#parameter.text.trim());
      this.#parameter = undefined;
    } else if (name === 'ac:plain-text-body') this.#write('</code></pre>');
    else if (name === 'ac:link') {
      if (!this.#linkHasText && this.#linkTarget !== undefined) this.#write(escapeHtml(this.#linkTarget));
    } else if (name in RENAMED) this.#write(`</${RENAMED[name]}>`);
  }
}

/** Converts the body of a page from storage format to HTML. Malformed XHTML is read as HTML. */
export function storageToHtml(storage: string): string {
  const writer = new StorageWriter();
  const parser = new Parser(
    {
      onopentag: (name, attributes) => writer.open(name, attributes),
      onclosetag: (name) => writer.close(name),
      ontext: (text) => writer.text(text),
    },
    { recognizeCDATA: true, recognizeSelfClosing: true, decodeEntities: true },
  );
  parser.end(storage);
  return writer.html;
}

/** Wraps the markup of a page in an HTML document, with the page's title as the main heading. */
export function pageHtml(title: string, markup: string): string {
  const name = escapeHtml(title);
  return `<!doctype html>\n<html><head><meta charset="utf-8"><title>${name}</title></head><body><main>\n<h1>${name}</h1>\n${markup}\n</main></body></html>\n`;
}
