import type { Nodes } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { isWebUrl } from '#browser/is-web-url';

/** The elements of an answer. Everything else becomes text. */
export const TAGS = ['p', 'ul', 'ol', 'li', 'strong', 'em', 'code', 'pre', 'blockquote', 'br', 'hr', 'a'] as const;

type Tag = (typeof TAGS)[number];

/** A part of an answer. Text is a string. */
export type AnswerNode = string | AnswerElement | Citation;

interface AnswerElement {
  readonly tag: Tag;
  readonly children: readonly AnswerNode[];
  /** An http or https URL. Only for `a`. */
  readonly href?: string;
  /** The first number of an `ol`. */
  readonly start?: number;
}

/** The number of a source, from 1. */
interface Citation {
  readonly source: number;
}

/** Deeper content becomes text: a hostile answer could exhaust the stack. */
const MAX_DEPTH = 24;

/** HTML stays text. Without definitions, `[1]` stays text too. */
const OPTIONS = { extensions: [{ disable: { null: ['htmlFlow', 'htmlText', 'definition'] } }] };

const MARKER = /\[(\d{1,3})\]/;

/** Splits a text at the markers of its sources. A number without a source stays text. */
function splitCitations(text: string, sourceCount: number): AnswerNode[] {
  return text.split(MARKER).flatMap((part, index): AnswerNode[] => {
    if (index % 2 === 0) return part === '' ? [] : [part];
    const source = Number(part);
    return source >= 1 && source <= sourceCount ? [{ source }] : [`[${part}]`];
  });
}

/** Parses an answer. */
export function parseAnswer(text: string, sourceCount: number): AnswerNode[] {
  // Inside links, markers stay text.
  let linkDepth = 0;
  const childrenOf = (node: Nodes, depth: number): AnswerNode[] =>
    'children' in node ? node.children.flatMap((child) => convert(child, depth + 1)) : [];
  const linkOf = (href: string, node: Nodes, depth: number): AnswerElement => {
    linkDepth += 1;
    const children = childrenOf(node, depth);
    linkDepth -= 1;
    return { tag: 'a', href, children };
  };

  const convert = (node: Nodes, depth: number): AnswerNode[] => {
    if (depth > MAX_DEPTH) return [text.slice(node.position?.start.offset, node.position?.end.offset)];
    const element = (tag: Tag, children = childrenOf(node, depth)): AnswerNode[] => [{ tag, children }];
    switch (node.type) {
      case 'text':
        return splitCitations(node.value, linkDepth === 0 ? sourceCount : 0);
      case 'paragraph':
        return element('p');
      // The page has its own headings.
      case 'heading':
        return element('p', element('strong'));
      case 'strong':
        return element('strong');
      case 'emphasis':
        return element('em');
      case 'blockquote':
        return element('blockquote');
      case 'listItem':
        return element('li');
      case 'list':
        return [
          node.ordered
            ? { tag: 'ol', children: childrenOf(node, depth), start: node.start ?? 1 }
            : { tag: 'ul', children: childrenOf(node, depth) },
        ];
      case 'inlineCode':
        return element('code', [node.value]);
      case 'code':
        return element('pre', element('code', [node.value]));
      case 'break':
        return element('br');
      case 'thematicBreak':
        return element('hr');
      case 'link':
        return isWebUrl(node.url) ? [linkOf(node.url, node, depth)] : childrenOf(node, depth);
      // The server of an image would see who reads the answer.
      case 'image':
        return node.alt ? [node.alt] : [];
      default:
        return 'value' in node ? [String(node.value)] : childrenOf(node, depth);
    }
  };
  return childrenOf(fromMarkdown(text, OPTIONS), 0);
}
