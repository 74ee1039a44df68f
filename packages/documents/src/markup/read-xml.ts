import { SaxesParser } from 'saxes';
import type { MarkupElement } from '#markup/element';
import { ParseError } from '#parse-error';
import { decodeText } from '#text/decode-text';

/** Limits recursion; Office formats stay far below this. */
const maxDepth = 500;

const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

/**
 * Parses an XML part into a tree of local names; attributes keep their prefixes. Entities are not
 * expanded, so a small part cannot grow.
 *
 * @throws ParseError `corrupt_file` if the XML is nested too deeply; the parser's error if it is malformed
 */
export const readXml = (bytes: Uint8Array): MarkupElement => {
  const root: MarkupElement = { name: '#root', attributes: {}, children: [] };
  const open: MarkupElement[] = [root];
  const add = (text: string): void => {
    (open.at(-1) ?? root).children.push(text);
  };
  const parser = new SaxesParser();
  parser.on('opentag', ({ name, attributes }) => {
    if (open.length > maxDepth)
      throw new ParseError(
        'corrupt_file',
        'The parts of this file are nested too deeply. Simplify it and upload it again.',
      );
    const element = { name: localName(name), attributes, children: [] };
    (open.at(-1) ?? root).children.push(element);
    open.push(element);
  });
  parser.on('closetag', () => open.pop());
  parser.on('text', add);
  parser.on('cdata', add);
  parser.on('error', (error) => {
    throw error;
  });
  parser.write(decodeText(bytes).text).close();
  return root;
};
