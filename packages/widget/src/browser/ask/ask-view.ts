import type { Settings } from '#browser/settings';
import type { AskTexts } from '#browser/texts/texts';

/** The elements of a question box. */
export interface AskView {
  readonly root: HTMLElement;
  /** The questions and answers so far. */
  readonly turns: HTMLElement;
  readonly form: HTMLFormElement;
  readonly input: HTMLInputElement;
  readonly ask: HTMLButtonElement;
  readonly stop: HTMLButtonElement;
  readonly status: HTMLElement;
}

/** More than a question needs. The limit of the API is higher. */
const MAX_QUESTION = 4_000;

function button(text: string, type: HTMLButtonElement['type']): HTMLButtonElement {
  const element = document.createElement('button');
  element.type = type;
  element.textContent = text;
  return element;
}

/** Creates the elements. */
export function createAskView({ askLabel }: Settings, texts: AskTexts): AskView {
  const root = document.createElement('section');
  root.className = 'ask';
  root.ariaLabel = askLabel;
  const turns = document.createElement('div');
  turns.className = 'turns';
  // It scrolls, also with the keyboard. Not a log: screen readers would read every word that arrives.
  turns.role = 'region';
  turns.ariaLabel = texts.conversation;
  turns.tabIndex = 0;
  turns.hidden = true;
  const label = document.createElement('label');
  label.className = 'hidden';
  label.htmlFor = 'question';
  label.textContent = askLabel;
  const input = document.createElement('input');
  input.id = 'question';
  input.type = 'text';
  input.maxLength = MAX_QUESTION;
  input.placeholder = askLabel;
  input.autocomplete = 'off';
  input.enterKeyHint = 'send';
  const ask = button(texts.ask, 'submit');
  const stop = button(texts.stop, 'button');
  stop.hidden = true;
  const form = document.createElement('form');
  form.append(label, input, ask, stop);
  const status = document.createElement('p');
  status.className = 'status';
  status.role = 'status';
  root.append(turns, form, status);
  return { root, turns, form, input, ask, stop, status };
}
