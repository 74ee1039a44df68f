/** The dialog that sends requests. */
const CLIENT = '.scalar-app-layout';

/** What the library leaves out, or sets wrongly, for screen readers and the keyboard. */
const CORRECTIONS: readonly {
  readonly selector: string;
  readonly attribute: string;
  /** Null removes the attribute. */
  readonly value: string | null;
}[] = [
  // Icons without a name.
  { selector: 'button[class*="copy-button"]:not([aria-label])', attribute: 'aria-label', value: 'Copy' },
  { selector: 'button.scalar-button[aria-haspopup="menu"]:not([aria-label])', attribute: 'aria-label', value: 'More' },
  // The element that it names does not exist.
  { selector: 'button[class*="copy-button"][aria-controls]', attribute: 'aria-controls', value: null },
  // Shows the body of a response.
  { selector: '.cm-content[role="textbox"]:not([aria-label])', attribute: 'aria-label', value: 'Code' },
  // Lists that scroll, without a way to focus them.
  { selector: 'ul.endpoints:not([tabindex])', attribute: 'tabindex', value: '0' },
  // Buttons that are hidden as buttons.
  { selector: 'button[role="none"]', attribute: 'role', value: null },
  // Each operation has one: too many landmarks with the same name.
  { selector: '.response-card[role="region"]', attribute: 'role', value: 'group' },
  // Shows an explanation when it is pressed.
  { selector: 'button[role="alert"]', attribute: 'role', value: null },
  // Code that scrolls, without a way to focus it.
  { selector: '.cm-scroller[tabindex="-1"]', attribute: 'tabindex', value: '0' },
  // The page has another one with this name.
  {
    selector: `${CLIENT} > section[aria-label^="Notifications"]`,
    attribute: 'aria-label',
    value: 'Notifications about the request',
  },
  // A name that hides the chosen value.
  { selector: '[data-testid="response-variant-picker"][aria-label]', attribute: 'aria-label', value: null },
];

function correct(root: HTMLElement): void {
  for (const { selector, attribute, value } of CORRECTIONS) {
    for (const element of root.querySelectorAll(selector)) {
      if (value === null) element.removeAttribute(attribute);
      else element.setAttribute(attribute, value);
    }
  }
  for (const field of root.querySelectorAll('[role="combobox"]')) stateExpansion(root, field);
}

/** Fields with suggestions must state whether they show any. */
function stateExpansion(root: HTMLElement, field: Element): void {
  const id = field.getAttribute('aria-controls');
  const isExpanded = id !== null && root.querySelector(`#${CSS.escape(id)}`) !== null;
  field.setAttribute('aria-expanded', `${isExpanded}`);
}

/** Behind the open dialog, the page must be neither read nor focused. The closed dialog stays in the document. */
function hideBehindDialog(root: HTMLElement): void {
  const isOpen = root.querySelector(`.scalar-client--open > ${CLIENT}`) !== null;
  for (const page of root.querySelectorAll('.references-rendered')) {
    if (page.hasAttribute('inert') !== isOpen) page.toggleAttribute('inert', isOpen);
  }
}

/**
 * Corrects the elements of the library, also those that appear later. Once per frame, because the library
 * changes many elements at once.
 */
export function completeElements(root: HTMLElement): void {
  let isPlanned = false;
  new MutationObserver(() => {
    if (isPlanned) return;
    isPlanned = true;
    requestAnimationFrame(() => {
      isPlanned = false;
      correct(root);
    });
  }).observe(root, { childList: true, subtree: true });
  // At once, because the focus returns to the page when the dialog closes.
  new MutationObserver(() => hideBehindDialog(root)).observe(root, {
    subtree: true,
    attributes: true,
    attributeFilter: ['class'],
    childList: true,
  });
}
