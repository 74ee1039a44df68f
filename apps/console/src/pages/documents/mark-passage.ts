import type { Nodes, Parents, PhrasingContent, Root, RootContent } from 'mdast';
// Declares `data.hName`.
import type {} from 'mdast-util-to-hast';

interface Span {
  readonly from: number;
  readonly to: number;
}

const markOf = (children: PhrasingContent[]): PhrasingContent => ({
  type: 'emphasis',
  data: { hName: 'mark' },
  children,
});

/** Returns the part of a node in the span, relative to the node. Undefined if there is none. */
function overlap({ position }: Nodes, { from, to }: Span): Span | undefined {
  const start = position?.start.offset;
  const end = position?.end.offset;
  if (start === undefined || end === undefined || end <= from || start >= to) return undefined;
  return { from: Math.max(0, from - start), to: Math.min(end, to) - start };
}

function markText(value: string, length: number, { from, to }: Span): PhrasingContent[] {
  const text = (part: string): PhrasingContent[] => (part === '' ? [] : [{ type: 'text', value: part }]);
  // Escapes and indentation make a text shorter than its source. Then all of it is marked.
  if (value.length !== length) return [markOf(text(value))];
  return [...text(value.slice(0, from)), markOf(text(value.slice(from, to))), ...text(value.slice(to))];
}

function marked(node: RootContent, span: Span): RootContent[] {
  const inside = overlap(node, span);
  if (inside === undefined) return [node];
  if (node.type === 'text') {
    const length = (node.position?.end.offset ?? 0) - (node.position?.start.offset ?? 0);
    return markText(node.value, length, inside);
  }
  if (node.type === 'inlineCode') return [markOf([node])];
  if (node.type === 'code') {
    // A block cannot be inside the inline element `mark`.
    return [{ type: 'blockquote', data: { hName: 'div', hProperties: { className: ['marked'] } }, children: [node] }];
  }
  if ('children' in node) markChildren(node, span);
  return [node];
}

function markChildren(parent: Parents, span: Span): void {
  // Marking keeps the kind of each child: blocks stay blocks, and text stays inline.
  parent.children = parent.children.flatMap((child) => marked(child, span)) as typeof parent.children;
}

/** Marks the text between two offsets of the source in a rendered Markdown document. */
export const markPassage = (span: Span) => () => (tree: Root) => {
  if (span.to > span.from) markChildren(tree, span);
};
