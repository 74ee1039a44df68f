import { defineElement, ELEMENT } from '#browser/search-element';
import { ATTRIBUTES } from '#browser/settings';

/** Puts a search box where the script tag stands, or into what its `data-target` selects. */
function place(script: HTMLScriptElement): void {
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
  defineElement(new URL('.', script.src).href);
  const isWanted = script.hasAttribute('data-key');
  if (isWanted && document.readyState === 'loading') {
    document.addEventListener('DOMContentLoaded', () => place(script), { once: true });
  } else if (isWanted) place(script);
}
