import { LoggerManager, load, NullLogger } from '@asciidoctor/core';
import { z } from 'zod';
import { isTooLong, withoutLongBlanks } from '#formats/asciidoc/asciidoc-source';
import { renderHtml } from '#formats/html/render-html';
import { parseText } from '#formats/plain/parse-text';
import { isElement, type MarkupElement, type MarkupNode } from '#markup/element';
import { readHtml } from '#markup/read-html';
import type { FormatParser } from '#parsed-document';
import { decodeDocument } from '#text/decode-document';
import { DocumentWriter } from '#text/document-writer';

// The messages of the library are about the author's markup.
LoggerManager.setLogger(new NullLogger());

/**
 * `secure` reads no other files and no environment: `include` becomes a link, and attributes of the
 * document cannot change that.
 */
const options = {
  safe: 'secure',
  standalone: false,
  // The library finds `constructor` in every object.
  attributes: { showtitle: '', 'sectids!': '', 'stem@': 'latexmath', 'constructor@': '{constructor}' },
};

const attribute = z.string().nullish().catch(undefined);

/** The numbers of remarks in code. */
const isCallout = (node: MarkupNode): boolean =>
  isElement(node) && node.name === 'b' && node.attributes.class === 'conum';

/** The library puts each list and code block in a list item into two divisions. */
const withoutDivisions = (nodes: readonly MarkupNode[]): MarkupNode[] =>
  nodes.flatMap((node) => (isElement(node) && node.name === 'div' ? withoutDivisions(node.children) : [node]));

/** Removes what the library adds for browsers. */
const simplify = (element: MarkupElement): MarkupElement => {
  const children = element.children
    .filter((child) => !isCallout(child))
    .map((child) => (isElement(child) ? simplify(child) : child));
  return { ...element, children: element.name === 'li' ? withoutDivisions(children) : children };
};

/** Parses AsciiDoc. Files that it includes are not read. What would take too long to read stays plain text. */
export const parseAsciidoc: FormatParser = async (file) => {
  const { limits } = file;
  const { text, charset } = decodeDocument(file);
  const source = withoutLongBlanks(text);
  if (isTooLong(source)) return await parseText(file);
  const document = await load(source, options);
  const html = await document.convert();
  const writer = new DocumentWriter(limits.maxTextChars);
  const page = simplify(readHtml(html));
  renderHtml(page, writer, { dropBoilerplate: false, keepLinks: true });
  const about = (name: string): string | undefined => attribute.parse(document.getAttribute(name)) ?? undefined;
  return {
    ...writer.finish(),
    title: about('doctitle'),
    metadata: {
      author: about('author'),
      description: about('description'),
      keywords: about('keywords')
        ?.split(',')
        .map((word) => word.trim()),
      language: about('lang'),
      charset,
    },
  };
};
