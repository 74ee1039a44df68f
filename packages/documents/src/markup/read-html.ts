import { Parser } from 'htmlparser2';
import type { MarkupElement } from '#markup/element';

/** Shared, because most elements of a large page have none. */
const noAttributes: Readonly<Record<string, string>> = Object.freeze({});

/**
 * Deeper elements become children of the element at this depth, so that recursion never overflows
 * the stack.
 */
const maxDepth = 200;

/**
 * Parses a page or a fragment. Malformed markup is read roughly as in browsers, so it never throws.
 */
export const readHtml = (html: string, options: { readonly xml?: boolean } = {}): MarkupElement => {
  const root: MarkupElement = { name: '#root', attributes: {}, children: [] };
  const open: MarkupElement[] = [root];
  let tooDeep = 0;
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        const parent = open.at(-1) ?? root;
        const element = {
          name,
          attributes: Object.keys(attributes).length > 0 ? attributes : noAttributes,
          children: [],
        };
        parent.children.push(element);
        if (open.length < maxDepth) open.push(element);
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
