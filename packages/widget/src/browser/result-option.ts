import { markedText } from '#browser/marked-text';
import type { Found } from '#browser/search-api';

function part(className: string, ...content: readonly (string | Node)[]): HTMLElement {
  const element = document.createElement('div');
  element.className = className;
  element.append(...content);
  return element;
}

/** A result as an option of the list. */
export function resultOption(found: Found, id: string): HTMLLIElement {
  const option = document.createElement('li');
  option.id = id;
  option.role = 'option';
  option.ariaSelected = 'false';
  option.append(
    part('title', found.title),
    part('where', found.collectionName),
    part('excerpt', markedText(found.excerpt, found.highlights)),
  );
  return option;
}

/** The address that a result leads to; undefined where it has none, or one that is not of the web. */
export function addressOf({ url }: Found): string | undefined {
  return url !== null && URL.canParse(url) && /^https?:$/.test(new URL(url).protocol) ? url : undefined;
}
