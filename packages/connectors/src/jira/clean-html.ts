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

export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** The language of a block of code, which Jira renders as `<pre class="code-java">`. */
function codeStart(className: string | undefined): string {
  const language = /(?:^|\s)code-([\w+#-]+)/.exec(className ?? '')?.[1];
  return language === undefined ? '<pre><code>' : `<pre><code class="language-${language}">`;
}

/**
 * Returns rendered HTML with balanced elements and without attributes, so that no text can end or
 * hide what follows it in the document.
 */
export function cleanHtml(html: string): string {
  let out = '';
  let invisible = 0;
  let code = 0;
  const parser = new Parser({
    onopentag: (name, attributes) => {
      if (INVISIBLE.has(name)) invisible += 1;
      if (invisible > 0) return;
      if (name === 'pre') {
        out += codeStart(attributes.class);
        code += 1;
      } else if (KEPT.has(name) && !(name === 'code' && code > 0)) out += `<${name}>`;
    },
    ontext: (text) => {
      if (invisible === 0) out += escapeHtml(text);
    },
    onclosetag: (name) => {
      if (INVISIBLE.has(name)) invisible -= 1;
      else if (invisible > 0) return;
      else if (name === 'pre') {
        out += '</code></pre>';
        code -= 1;
      } else if (KEPT.has(name) && !VOID.has(name) && !(name === 'code' && code > 0)) out += `</${name}>`;
    },
  });
  parser.end(html);
  return out;
}
