import { Parser } from 'htmlparser2';

/** An element of a page; texts are plain strings among the children. */
export interface HtmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: HtmlNode[];
}
export type HtmlNode = HtmlElement | string;

/** Deeper elements become children of the one at this depth, so that walking the tree never overflows the stack. */
const deepest = 200;

/** Reads a page or a fragment; malformed markup is read as browsers do, roughly. Never fails. */
export const readHtml = (html: string, options: { readonly xml?: boolean } = {}): HtmlElement => {
  const root: HtmlElement = { name: '#root', attributes: {}, children: [] };
  const open: HtmlElement[] = [root];
  let tooDeep = 0;
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        const parent = open.at(-1) ?? root;
        const element = { name, attributes, children: [] };
        parent.children.push(element);
        if (open.length < deepest) open.push(element);
        else tooDeep++;
      },
      onclosetag() {
        if (tooDeep > 0) tooDeep--;
        else if (open.length > 1) open.pop();
      },
      ontext(text) {
        (open.at(-1) ?? root).children.push(text);
      },
    },
    { decodeEntities: true, recognizeSelfClosing: options.xml ?? false, recognizeCDATA: options.xml ?? false },
  );
  parser.end(html);
  return root;
};

export const isElement = (node: HtmlNode): node is HtmlElement => typeof node !== 'string';

/** All elements below (and not counting) `root`, in document order. */
export function* descendants(root: HtmlElement): Generator<HtmlElement> {
  for (const child of root.children) {
    if (!isElement(child)) continue;
    yield child;
    yield* descendants(child);
  }
}

export const findElement = (root: HtmlElement, name: string): HtmlElement | undefined => {
  for (const element of descendants(root)) if (element.name === name) return element;
  return undefined;
};

const collect = (node: HtmlNode, into: string[]): void => {
  if (!isElement(node)) into.push(node);
  else if (node.name === 'br') into.push('\n');
  else for (const child of node.children) collect(child, into);
};

/** All text in a node, white space as it stands. */
export const textOf = (node: HtmlNode): string => {
  const parts: string[] = [];
  collect(node, parts);
  return parts.join('');
};
