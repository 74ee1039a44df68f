import type { CreateAskBox } from '#browser/ask/ask-box';
import { defineElement, ELEMENT } from '#browser/search-element';
import { ATTRIBUTES } from '#browser/settings';

/**
 * Loads the questions from the folder of the script. The two files can come from different versions for
 * as long as browsers cache them, so all that they share is `createAskBox` with its `Host` and `Box`.
 */
async function loadAsk(folder: URL): Promise<CreateAskBox> {
  const { createAskBox } = await import(new URL('widget-ask.js', folder).href);
  return createAskBox;
}

/** Adds a search box after the script tag, or to the element that `data-target` selects. */
function insert(script: HTMLScriptElement): void {
  const box = document.createElement(ELEMENT);
  for (const name of ATTRIBUTES) {
    const value = script.getAttribute(`data-${name}`);
    if (value !== null) box.setAttribute(name, value);
  }
  const selector = script.getAttribute('data-target');
  if (selector === null) script.after(box);
  else document.querySelector(selector)?.append(box);
}

const script = document.currentScript;
if (script instanceof HTMLScriptElement) {
  const folder = new URL('.', script.src);
  defineElement(folder.href, () => loadAsk(folder));
  const hasKey = script.hasAttribute('data-key');
  if (hasKey && document.readyState === 'loading') {
    document.addEventListener('DOMContentLoaded', () => insert(script), { once: true });
  } else if (hasKey) insert(script);
}
