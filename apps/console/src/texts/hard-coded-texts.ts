import { parseSync } from 'vite';

type Node = { readonly type: string; readonly [name: string]: unknown };

const isNode = (value: unknown): value is Node => typeof (value as Node | null)?.type === 'string';

/** Attributes and properties whose values are not for people. */
const TECHNICAL = new Set(['className', 'd', 'accept', 'autoComplete', 'queryKey']);

/** A capital and more, or two words with a space. Names of files, classes, keys and types are neither. */
const IS_TEXT = /^[A-Z][a-z]+(?:[ .,:?!…]|$)|\p{L}{2,} .*\p{L}{2,}.*[.?!…]$|^\p{Lu}.* \p{L}/u;

/**
 * Returns the texts for people in a module of TypeScript: the text between the tags of JSX, and strings that read like a
 * name or a sentence.
 */
export function hardCodedTexts(path: string, source: string): readonly string[] {
  const found: string[] = [];
  const visit = (node: Node) => {
    if (node.type === 'JSXText' && /\p{L}/u.test(String(node.value))) found.push(String(node.value).trim());
    if (node.type === 'Literal' && typeof node.value === 'string' && IS_TEXT.test(node.value)) found.push(node.value);
    if (node.type === 'TemplateElement') {
      const { cooked } = node.value as { readonly cooked: string };
      if (IS_TEXT.test(cooked)) found.push(cooked);
    }
    if (isSkipped(node)) return;
    for (const value of Object.values(node)) {
      if (Array.isArray(value)) value.filter(isNode).forEach(visit);
      else if (isNode(value)) visit(value);
    }
  };
  visit(parseSync(path, source).program as unknown as Node);
  return found;
}

/** True for what people do not read: imports, types, errors of programmers, technical attributes. */
function isSkipped(node: Node): boolean {
  if (node.type.startsWith('TS') && node.type !== 'TSAsExpression' && node.type !== 'TSSatisfiesExpression')
    return true;
  if (/^(?:Import|ExportAll)/.test(node.type)) return true;
  const { callee, name, key } = node as { callee?: Node; name?: Node; key?: Node };
  if (node.type === 'NewExpression') return /^(?:Type|Range)Error$/.test(String(callee?.name));
  if (node.type === 'JSXAttribute') return TECHNICAL.has(String(name?.name));
  return node.type === 'Property' && TECHNICAL.has(String(key?.name));
}
