import { linkText } from '#text/link-text';

// Every repetition is bounded: without that, marks that are never closed take quadratic time.

/** Roles that name their target: ``:func:`text <target>` `` shows only the text. */
const role = /:[a-zA-Z][\w.+:-]{0,60}:`([^`]{1,1000})`/g;
const withTarget = /^([^<]{0,1000})<[^<>]*>$/;

const shownOf = (content: string): string => {
  const [, text] = withTarget.exec(content) ?? [];
  return text?.trim() || content.replace(/^[~!]/, '').replace(/^<|>$/g, '');
};

/** A placeholder for literal text, which has no markup. */
const mark = '\u0001';

/**
 * Returns the text of inline markup: `` `text <address>`_ `` as a link, other references, roles,
 * emphasis and literals without their marks. `targets` are the addresses of named links.
 */
export const inlineRst = (text: string, targets: ReadonlyMap<string, string>): string => {
  const literals: string[] = [];
  const keep = (literal: string): string => `${mark}${literals.push(literal) - 1}${mark}`;
  return text
    .replaceAll(mark, '')
    .replace(/``([^`]{1,1000}|[^`].{0,1000}?[^`])``/g, (_match, literal: string) => keep(literal))
    .replace(/\\([^\s\w])/g, (_match, letter: string) => keep(letter))
    .replace(/\\\s/g, '')
    .replace(role, (_match, content: string) => keep(shownOf(content)))
    .replace(/`([^`<>]{1,1000})<([^`<>]{1,1000})>`__?/g, (_match, shown: string, address: string) =>
      keep(linkText(shown.trimEnd(), address.endsWith('_') ? targets.get(keyOf(address.slice(0, -1))) : address)),
    )
    .replace(/`([^`]+)`__?/g, (_match, name: string) => keep(linkText(name, targets.get(keyOf(name)))))
    .replace(/\b([A-Za-z0-9][\w.-]{0,80})__?(?![\w`])/g, (match, name: string) =>
      match.startsWith(`${name}_`) && targets.has(keyOf(name)) ? keep(linkText(name, targets.get(keyOf(name)))) : match,
    )
    .replace(/\[(#?[\w-]*|\*)\]_/g, '[$1]')
    .replace(/\*\*(\S(?:[^*]*\S)?)\*\*/g, '$1')
    .replace(/(?<![\w*])\*(\S(?:[^*]*\S)?)\*(?![\w*])/g, '$1')
    .replace(/`([^`]+)`/g, '$1')
    .replace(/\|(\S(?:[^|\n]*\S)?)\|_?/g, '$1')
    .replace(new RegExp(`${mark}(\\d+)${mark}`, 'g'), (_match, index: string) => literals[Number(index)] ?? '');
};

/** Names of links are compared without case and spaces. */
export const keyOf = (name: string): string => name.trim().replace(/^`|`$/g, '').replace(/\s+/g, ' ').toLowerCase();
