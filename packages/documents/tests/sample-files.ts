import { strToU8, type Zippable, zipSync } from 'fflate';

/** Returns a text as UTF-8. */
export const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

const relationships = (entries: readonly (readonly [id: string, type: string, target: string])[]): Uint8Array =>
  strToU8(
    `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${entries
      .map(([id, type, target]) => {
        const kind = `http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}`;
        return `<Relationship Id="${id}" Type="${kind}" Target="${target}"/>`;
      })
      .join('')}</Relationships>`,
  );

const contentTypes = strToU8(
  '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/></Types>',
);

const core = (title: string, author: string): Uint8Array =>
  strToU8(
    `<cp:coreProperties xmlns:cp="c" xmlns:dc="d" xmlns:dcterms="t"><dc:title>${title}</dc:title><dc:creator>${author}</dc:creator><dcterms:created>2024-05-06T07:08:09Z</dcterms:created></cp:coreProperties>`,
  );

/** Returns a Word document with the given body XML. */
export const docx = (body: string, extra: Zippable = {}): Uint8Array =>
  zipSync({
    '[Content_Types].xml': contentTypes,
    '_rels/.rels': relationships([['r1', 'officeDocument', 'word/document.xml']]),
    'word/document.xml': strToU8(
      `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>`,
    ),
    'docProps/core.xml': core('Travel policy', 'Ada Lovelace'),
    ...extra,
  });

export const wordParagraph = (text: string, style?: string): string =>
  `<w:p>${style ? `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>` : ''}<w:r><w:t>${text}</w:t></w:r></w:p>`;

const slide = (shapes: string): Uint8Array =>
  strToU8(`<p:sld xmlns:p="p" xmlns:a="a"><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:sld>`);

/** Returns a shape of a slide; `type` is the placeholder type. */
export const slideShape = (type: string, ...paragraphs: readonly string[]): string =>
  `<p:sp><p:nvSpPr><p:nvPr><p:ph type="${type}"/></p:nvPr></p:nvSpPr><p:txBody>${paragraphs
    .map((text) => `<a:p><a:r><a:t>${text}</a:t></a:r></a:p>`)
    .join('')}</p:txBody></p:sp>`;

/** Returns a presentation whose slides are stored in reverse order. */
export const pptx = (...slides: readonly string[]): Uint8Array => {
  const names = slides.map((_, index) => `slides/slide${slides.length - index}.xml`);
  return zipSync({
    '[Content_Types].xml': contentTypes,
    'ppt/presentation.xml': strToU8(
      `<p:presentation xmlns:p="p" xmlns:r="r"><p:sldIdLst>${slides.map((_, i) => `<p:sldId id="${i}" r:id="s${i}"/>`).join('')}</p:sldIdLst></p:presentation>`,
    ),
    'ppt/_rels/presentation.xml.rels': relationships(names.map((name, index) => [`s${index}`, 'slide', name])),
    'docProps/core.xml': core('Quarterly review', 'Grace Hopper'),
    ...Object.fromEntries(slides.map((shapes, index) => [`ppt/${names[index]}`, slide(shapes)])),
  });
};

/** Returns an OpenDocument text with the given body XML. */
export const odt = (body: string): Uint8Array =>
  zipSync({
    mimetype: [strToU8('application/vnd.oasis.opendocument.text'), { level: 0 }],
    'content.xml': strToU8(
      `<office:document-content xmlns:office="o" xmlns:text="t" xmlns:table="b"><office:body><office:text>${body}</office:text></office:body></office:document-content>`,
    ),
  });

/** Returns a book of the given XHTML bodies. */
export const epub = (...chapters: readonly string[]): Uint8Array =>
  zipSync({
    mimetype: [strToU8('application/epub+zip'), { level: 0 }],
    'META-INF/container.xml': strToU8(
      '<container><rootfiles><rootfile full-path="OPS/book.opf"/></rootfiles></container>',
    ),
    'OPS/book.opf': strToU8(
      `<package xmlns:dc="d"><metadata><dc:title>A Book</dc:title><dc:creator>An Author</dc:creator><dc:language>en-GB</dc:language></metadata><manifest>${chapters
        .map((_, i) => `<item id="c${i}" href="c%20${i}.xhtml"/>`)
        .join('')}</manifest><spine>${chapters.map((_, i) => `<itemref idref="c${i}"/>`).join('')}</spine></package>`,
    ),
    ...Object.fromEntries(
      chapters.map((body, i) => [
        `OPS/c ${i}.xhtml`,
        strToU8(`<html><head><title/></head><body>${body}</body></html>`),
      ]),
    ),
  });

/** Returns a PDF whose pages show the given lines, each with its type size, from the top down. */
export const pdf = (
  pages: readonly (readonly (readonly [size: number, text: string])[])[],
  trailer = '',
  font = 'Helvetica',
): Uint8Array => {
  const objects: string[] = [];
  const add = (body: string): number => objects.push(body);
  add('<< /Type /Catalog /Pages 2 0 R >>');
  add('');
  add(`<< /Type /Font /Subtype /Type1 /BaseFont /${font} /Encoding /WinAnsiEncoding >>`);
  add('<< /Title (A PDF title) /Author (Alan Turing) /CreationDate (D:20240203040506Z) >>');
  const kids = pages.map((lines) => {
    let y = 760;
    const content = lines.map(([size, text]) => {
      y -= size * 1.2;
      return `BT /F1 ${size} Tf 72 ${y.toFixed(2)} Td (${text}) Tj ET`;
    });
    const stream = content.join('\n');
    const contents = add(`<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`);
    return add(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> /Contents ${contents} 0 R >>`,
    );
  });
  objects[1] = `<< /Type /Pages /Count ${kids.length} /Kids [${kids.map((kid) => `${kid} 0 R`).join(' ')}] >>`;
  let text = '%PDF-1.4\n';
  const offsets = objects.map((body, index) => {
    const offset = text.length;
    text += `${index + 1} 0 obj\n${body}\nendobj\n`;
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const xref = text.length;
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}`;
  text += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R /Info 4 0 R ${trailer} >>\nstartxref\n${xref}\n%%EOF`;
  return utf8(text);
};
