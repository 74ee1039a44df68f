import { describe, expect, it } from '@jest/globals';
import { runCount } from '@lectern/testing';
import fc from 'fast-check';
import { Parser } from 'htmlparser2';
import { cleanHtml } from '#html/clean-html';

const names = [
  'p',
  'div',
  'main',
  'article',
  'script',
  'style',
  'table',
  'td',
  'pre',
  'code',
  'body',
  'html',
  'br',
  'li',
];
const parts = fc.oneof(
  fc.constantFrom(...names).map((name) => `<${name}>`),
  fc.constantFrom(...names).map((name) => `</${name}>`),
  fc.constantFrom(
    '<p hidden>',
    '<div style="display:none">',
    '<!--',
    '-->',
    '<![CDATA[',
    '<pre class="code-js">',
    '&lt;',
  ),
  fc.constantFrom('text', '<', '"', '</', '<p class="', '<br/>'),
);

/** Returns the path of elements around each text. */
function pathsOf(html: string): Map<string, string> {
  const open: string[] = [];
  const paths = new Map<string, string>();
  const parser = new Parser({
    onopentagname: (name) => open.push(name),
    onclosetag: () => open.pop(),
    ontext: (text) => paths.set(text.trim(), open.join('/')),
  });
  parser.end(html);
  return paths;
}

describe('cleanHtml', () => {
  it('keeps paragraphs, lists, tables and code, and drops attributes', () => {
    expect(
      cleanHtml(
        '<p>See <a href="x" class="user-hover">Ada</a>:</p><ul class="alternate"><li>One</li></ul><div class="table-wrap"><table><tbody><tr><th class="x">OS</th></tr></tbody></table></div><div class="code panel"><pre class="code-java"><span class="kw">int</span> a &lt; 1;</pre></div>',
      ),
    ).toBe(
      '<p>See <a>Ada</a>:</p><ul><li>One</li></ul><div><table><tbody><tr><th>OS</th></tr></tbody></table></div><div><pre><code class="language-java">int a &lt; 1;</code></pre></div>',
    );
  });

  it('drops scripts, and what would end the document', () => {
    expect(cleanHtml('a</div></main></body>b<script>c</script><main>d')).toBe('abd');
  });

  it('gives headings a level below those of the document', () => {
    expect(cleanHtml('<h1>a</h1><h2>b</h2><h5>c</h5><hr>', { topHeading: 3 })).toBe(
      '<h3>a</h3><h4>b</h4><h6>c</h6><hr>',
    );
  });

  it('reads elements that are nested deeply or never closed within seconds', () => {
    const startedAt = performance.now();
    const unclosed = cleanHtml(`${'<b>'.repeat(100_000)}inside${'</i>'.repeat(100_000)}<p>end`);
    expect(unclosed).toMatch(/^(<b>){100}insideend(<\/b>){100}$/);
    const hidden = cleanHtml(`a<div hidden>${'<div>'.repeat(5_000)}b${'</div>'.repeat(5_000)}c</div>`);
    expect(hidden).toBe('a');
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });

  it('never changes the place of what follows', () => {
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 15 }), (fragments) => {
        const html = `<main><div>${cleanHtml(fragments.join(''))}</div><h3>NEXT</h3></main>`;
        expect(pathsOf(html).get('NEXT')).toBe('main/h3');
      }),
      { numRuns: runCount({ quick: 2_000, full: 20_000 }) },
    );
  });
});
