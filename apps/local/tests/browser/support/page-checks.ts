import axe from 'axe-core';

/** A page lays itself out in later frames after its window has changed. */
export const LAYOUT_MS = 5_000;

/** A rule of axe that a page breaks. */
export interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string }[];
}

/** An expression that returns all accessibility violations of the page. */
export const AXE = `${axe.source};
axe.run({ resultTypes: ['violations'] }).then(({ violations }) => JSON.parse(JSON.stringify(violations)))`;

/** An expression that returns the elements that are wider than the window, outermost first. */
export const OVERFLOW = `(() => {
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth <= clientWidth) return [];
  return [...document.body.querySelectorAll('*')]
    .filter((element) => element.getBoundingClientRect().right > clientWidth + 0.5)
    .map((element) => {
      const { left, right } = element.getBoundingClientRect();
      const text = element.textContent.slice(0, 60);
      return element.tagName.toLowerCase() + '.' + element.className + ' ' + left + '–' + right + ' px: ' + text;
    });
})()`;
