import { defineElement, ELEMENT } from '#browser/search-element';
import { ATTRIBUTES } from '#browser/settings';

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
  defineElement(new URL('.', script.src).href);
  const hasKey = script.hasAttribute('data-key');
  if (hasKey && document.readyState === 'loading') {
    document.addEventListener('DOMContentLoaded', () => insert(script), { once: true });
  } else if (hasKey) insert(script);
}
