import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseSample } from '../parse-sample.ts';

const page = (body: string, head = ''): string =>
  `<!doctype html><html lang="de-AT"><head>${head}</head><body>${body}</body></html>`;

describe('parseHtml', () => {
  it('keeps headings, paragraphs, lists, tables and code', async () => {
    const { text } = await parseSample(
      page(`<h1>Leave</h1><p>Twenty <b>days</b> a year.<br>No more.</p>
        <ul><li>One<ul><li>Two</li></ul></li></ul><ol start="3"><li>Three</li></ol>
        <table><tr><th>Year</th><th>Days</th></tr><tr><td>1</td><td>20</td></tr></table>
        <pre><code class="language-sh">npm ci
npm start</code></pre>`),
      'a.html',
    );
    expect(text).toBe(
      '# Leave\n\nTwenty days a year.\nNo more.\n\n- One\n  - Two\n\n3. Three\n\n| Year | Days |\n| --- | --- |\n| 1 | 20 |\n\n```sh\nnpm ci\nnpm start\n```',
    );
  });

  it('omits navigation, headers, footers, scripts and hidden elements', async () => {
    const { text } = await parseSample(
      page(`<header><nav><a href="/">Home</a></nav></header><div class="sidebar"><a href="/a">Other page</a></div>
        <main><p>The main matter of this page.</p><div hidden>secret</div></main>
        <script>alert(1)</script><footer>All rights reserved</footer>`),
      'a.html',
    );
    expect(text).toBe('The main matter of this page.');
  });

  it('keeps the links of a page that contains only links', async () => {
    const { text } = await parseSample(page('<nav><a href="/a">Alpha</a> <a href="/b">Beta</a></nav>'), 'a.html');
    expect(text).toBe('Alpha Beta');
  });

  it('reads title, author and language from the head, and a charset that is declared late', async () => {
    const html = page(
      '<p>na\xefve</p>',
      '<title>Caf\xe9</title><meta name=author content="Z\xfcri"><meta charset="iso-8859-1">',
    );
    const { title, text, metadata } = await parseSample(
      Uint8Array.from(html, (char) => char.charCodeAt(0)),
      'a.html',
    );
    expect([title, text, metadata.author, metadata.language]).toEqual(['Café', 'naïve', 'Züri', 'de-AT']);
  });

  it('reads the content of layout tables as text and accepts any nesting', async () => {
    const layout = await parseSample(page('<table><tr><td><h2>News</h2><p>Today.</p></td></tr></table>'), 'a.html');
    expect(layout.text).toBe('## News\n\nToday.');
    const deep = await parseSample(page(`${'<div>'.repeat(50_000)}deep${'</div>'.repeat(50_000)}`), 'a.html');
    expect(deep.text).toBe('deep');
  });

  it('indents a paragraph that looks like structure', async () => {
    const { text } = await parseSample(page('<p># not a heading</p><p>```</p>'), 'a.html');
    expect(text).toBe(' # not a heading\n\n ```');
  });

  describe('with profile=article', () => {
    const article = 'text/html;charset=utf-8;profile=article';
    const sentence = 'Penguins swim fast, eat fish, and live in large colonies on the coast of the southern seas. ';
    const story = `<h2>Penguins</h2><p>${sentence.repeat(4)}</p><p>${sentence.repeat(3)}</p><h2>Food</h2><p>${sentence.repeat(3)}</p>`;
    const site = (content: string) =>
      page(`<div class="top"><a href="/">Home</a> <a href="/shop">Shop</a></div>
        <div class="columns"><div class="post">${content}</div>
        <div class="widget"><p>Subscribe to our newsletter, it is free.</p><form><input name="mail"></form></div></div>
        <div class="comment-list"><p>First comment!</p></div>`);

    it('keeps only the article of a page without semantic elements', async () => {
      const { text } = await parseSample(site(story), 'a.html', article);
      expect(text).toContain('## Food');
      expect(text).toContain('Penguins swim fast');
      expect(text).not.toMatch(/newsletter|First comment|Shop/);
    });

    it('reads a page without an article as a whole', async () => {
      const { text } = await parseSample(page('<p>Opening hours</p><p>Monday 9 to 5</p>'), 'a.html', article);
      expect(text).toBe('Opening hours\n\nMonday 9 to 5');
    });

    it('reads a page as a whole if the article misses most headings', async () => {
      const sections = Array.from({ length: 9 }, (_, at) => `<section><h3>Option ${at}</h3><p>Short.</p></section>`);
      const { text } = await parseSample(page(`<div>${story}</div><div>${sections.join('')}</div>`), 'a.html', article);
      for (let at = 0; at < 9; at += 1) expect(text).toContain(`### Option ${at}`);
    });

    it('keeps tables, and the language of code', async () => {
      const extra = '<table><tr><th>Name</th><th>Size</th></tr><tr><td>King</td><td>95</td></tr></table>';
      const code = '<pre><code class="language-ts">const fish = 1;</code></pre>';
      const { text } = await parseSample(site(`${story}${extra}${code}`), 'a.html', article);
      expect(text).toContain('| King | 95 |');
      expect(text).toContain('```ts\nconst fish = 1;');
    });

    it.each([
      ['deeply nested', '<div>'.repeat(3_000)],
      ['very large', `<p>${sentence}</p>`.repeat(8_000)],
      ['malformed', '<<a <b></i><table><tr><p><!-- '],
    ])('reads a %s page', async (_, content) => {
      const { text } = await parseSample(page(`${story}${content}`), 'a.html', article);
      expect(text).toContain('Penguins swim fast');
    });

    it('uses the charset of the declared type', async () => {
      const latin = Buffer.from('<p>Größe</p>', 'latin1');
      const { text } = await parseSample(latin, 'a.html', 'text/html; charset="iso-8859-1"');
      expect(text).toBe('Größe');
    });
  });

  it('keeps each cell of a table in its column next to cells that span rows and columns', async () => {
    const size = 4;
    const span = fc.record({
      row: fc.nat({ max: size - 1 }),
      column: fc.nat({ max: size - 1 }),
      height: fc.integer({ min: 1, max: 3 }),
      width: fc.integer({ min: 1, max: 3 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(span, { maxLength: 3 }), async (spans) => {
        const grid = Array.from({ length: size }, () => new Array<string | undefined>(size));
        const html = Array.from({ length: size }, () => '');
        for (let row = 0; row < size; row++)
          for (let column = 0; column < size; column++) {
            if (grid[row]![column] !== undefined) continue;
            const found = spans.find((each) => each.row === row && each.column === column);
            const height = Math.min(found?.height ?? 1, size - row);
            let width = 1;
            while (width < (found?.width ?? 1) && column + width < size && grid[row]![column + width] === undefined)
              width++;
            for (let y = row; y < row + height; y++) for (let x = column; x < column + width; x++) grid[y]![x] = '';
            grid[row]![column] = `c${row}${column}`;
            html[row] += `<td rowspan=${height} colspan=${width}>c${row}${column}</td>`;
          }
        // With a complete row, it is always a table of several columns.
        const rows = ['<td>h0<td>h1<td>h2<td>h3', ...html].map((cells) => `<tr>${cells}</tr>`).join('');
        const { text } = await parseSample(`<body><main><p>Text</p><table>${rows}</table></main>`, 'a.html');
        const lines = text.split('\n').filter((line) => line.startsWith('| ') && !line.includes('---'));
        const expected = grid.filter((row) => row.some(Boolean)).map((row) => `| ${row.join(' | ')} |`);
        expect(lines.slice(1).filter((line) => /\w/.test(line))).toEqual(expected);
      }),
    );
  });

  it('reads a page with a NUL character', async () => {
    const parsed = await parseSample('<h1>Tea\0pot</h1><p>Boil\0 water.</p>', 'page', 'text/html');
    expect(parsed.metadata.mimeType).toBe('text/html');
    expect(parsed.text).not.toContain('\0');
    expect(parsed.text).toContain('water.');
  });
});
