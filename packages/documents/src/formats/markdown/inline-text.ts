import type { Definition, PhrasingContent, RootContent } from 'mdast';
import { linkText } from '#text/link-text';

/** The link definitions of a document by identifier. */
export type Definitions = ReadonlyMap<string, Definition>;

const htmlText = (html: string): string => (/^<br\b/i.test(html) ? '\n' : '');

/**
 * Returns the text of inline Markdown: without emphasis, code with backticks, links with absolute
 * addresses, images as alt text.
 */
export const inlineText = (nodes: readonly (PhrasingContent | RootContent)[], definitions: Definitions): string =>
  nodes.map((node) => nodeText(node, definitions)).join('');

const nodeText = (node: PhrasingContent | RootContent, definitions: Definitions): string => {
  switch (node.type) {
    case 'text':
      return node.value;
    case 'inlineCode':
      return `\`${node.value}\``;
    case 'break':
      return '\n';
    case 'html':
      return htmlText(node.value);
    case 'image':
    case 'imageReference':
      return node.alt ?? '';
    case 'link':
      return linkText(inlineText(node.children, definitions), node.url);
    case 'linkReference':
      return linkText(inlineText(node.children, definitions), definitions.get(node.identifier)?.url);
    default:
      return 'children' in node ? inlineText(node.children, definitions) : '';
  }
};
