import type { Settings } from '#browser/settings';

/** The elements of a search box. */
export interface View {
  readonly root: HTMLElement;
  readonly input: HTMLInputElement;
  readonly popup: HTMLElement;
  readonly list: HTMLUListElement;
  readonly status: HTMLElement;
}

/** The API's limit in characters. */
const MAX_QUERY = 2_000;

/** Creates the elements with the roles of the combobox pattern with a listbox (WAI-ARIA APG). */
export function createView({ label, placeholder }: Settings): View {
  const root = document.createElement('div');
  root.role = 'search';
  const caption = document.createElement('label');
  caption.className = 'hidden';
  caption.htmlFor = 'query';
  caption.textContent = label;
  const input = document.createElement('input');
  input.id = 'query';
  input.type = 'text';
  input.role = 'combobox';
  input.maxLength = MAX_QUERY;
  input.placeholder = placeholder;
  input.autocomplete = 'off';
  input.spellcheck = false;
  input.enterKeyHint = 'search';
  input.ariaAutoComplete = 'list';
  input.ariaExpanded = 'false';
  input.setAttribute('aria-controls', 'results');
  const list = document.createElement('ul');
  list.id = 'results';
  list.role = 'listbox';
  list.ariaLabel = label;
  const status = document.createElement('p');
  status.className = 'status';
  status.role = 'status';
  const popup = document.createElement('div');
  popup.className = 'popup';
  popup.hidden = true;
  popup.append(list);
  // The status is outside the list and permanent, so that screen readers announce its changes.
  root.append(caption, input, popup, status);
  return { root, input, popup, list, status };
}
