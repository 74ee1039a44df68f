/** An element of an HTML page or XML part. Text nodes are strings among the children. */
export interface MarkupElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: MarkupNode[];
}
export type MarkupNode = MarkupElement | string;

export const isElement = (node: MarkupNode): node is MarkupElement => typeof node !== 'string';

/** Returns the child elements of `parent`, optionally only those with one name. */
export const childElements = (parent: MarkupElement | undefined, name?: string): MarkupElement[] =>
  (parent?.children ?? []).filter(isElement).filter((child) => name === undefined || child.name === name);

/** Yields all elements in `root`, without `root` itself, in document order. */
export function* descendants(root: MarkupElement): Generator<MarkupElement> {
  for (const child of root.children) {
    if (!isElement(child)) continue;
    yield child;
    yield* descendants(child);
  }
}

export const findElement = (root: MarkupElement | undefined, name: string): MarkupElement | undefined => {
  if (!root) return undefined;
  for (const element of descendants(root)) if (element.name === name) return element;
  return undefined;
};

const collect = (node: MarkupNode, into: string[]): void => {
  if (!isElement(node)) into.push(node);
  else if (node.name === 'br') into.push('\n');
  else for (const child of node.children) collect(child, into);
};

/** Returns all text in a node, with white space unchanged. */
export const textOf = (node: MarkupNode): string => {
  const parts: string[] = [];
  collect(node, parts);
  return parts.join('');
};
