import { markedText } from '#browser/marked-text';
import type { SearchResult } from '#browser/search-api';

function part(className: string, ...content: readonly (string | Node)[]): HTMLElement {
  const element = document.createElement('div');
  element.className = className;
  element.append(...content);
  return element;
}

/** Renders a result as an option of the listbox. */
export function resultOption(result: SearchResult, id: string): HTMLLIElement {
  const option = document.createElement('li');
  option.id = id;
  option.role = 'option';
  option.ariaSelected = 'false';
  option.append(
    part('title', result.title),
    part('source', result.collectionName),
    part('excerpt', markedText(result.excerpt, result.highlights)),
  );
  return option;
}
